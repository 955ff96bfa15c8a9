// The dashboard: every view, with the engine behind the server.
import { labOverHttp } from "../lab/over-http.ts";
import { startApp } from "../start.tsx";
import { StudiesView } from "../studies/studies-view.tsx";
import "../styles/studies.css";

startApp(labOverHttp(), { studies: StudiesView });
