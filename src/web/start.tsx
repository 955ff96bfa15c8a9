import { render } from "preact";
import { App, type AppProps } from "./app.tsx";
import type { LabConnection } from "./lab/connection.ts";
import { followAddress } from "./route.ts";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/stage.css";
import "./styles/pictures.css";
import { applyTheme } from "./theme.ts";
import { Workbench } from "./workbench.ts";

/** Puts the page together around a lab. */
export function startApp(lab: LabConnection, parts: Pick<AppProps, "studies"> = {}): void {
  applyTheme();
  followAddress();
  render(<App bench={new Workbench(lab)} {...parts} />, document.querySelector("#app")!);
}
