/** Trains a GCN on the built-in graph and flips 5% of its edges, in a worker so that the page stays responsive. */
import type { Report } from "./attack-worker.ts";

const log = document.querySelector("#log")!;
const worker = new Worker(new URL("./attack-worker.ts", import.meta.url), { type: "module" });

worker.addEventListener("message", ({ data }: MessageEvent<Report>) => {
  log.textContent += `${data.text}\n`;
  document.body.dataset["state"] = data.state;
});
