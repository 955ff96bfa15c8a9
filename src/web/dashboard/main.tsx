// The dashboard: every view, with the engine behind the server.
import { labOverHttp } from "../lab/over-http.ts";
import { startApp } from "../start.tsx";

startApp(labOverHttp());
