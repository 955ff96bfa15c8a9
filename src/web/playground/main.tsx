// The playground: every view but studies, with the engine in a worker of the page. Nothing is sent anywhere.
import { labInWorker } from "../lab/in-worker.ts";
import { startApp } from "../start.tsx";

const worker = new Worker(new URL("./lab-worker.ts", import.meta.url), { type: "module" });
startApp(labInWorker(worker));
