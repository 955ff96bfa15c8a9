// The thread of one engine. It returns results as JSON text: writing a large one takes long and would block the
// server's thread.
import { parentPort, workerData } from "node:worker_threads";
import { answerCalls } from "../threads/answer-calls.ts";
import type { LabModule, LabModuleOptions, LabRequest } from "./engine.ts";

const { module, options } = workerData as { module: string; options: LabModuleOptions };
const { openLab } = (await import(module)) as LabModule;
const engine = await openLab(options);
answerCalls(parentPort!, async (name, [request], watch) =>
  JSON.stringify(await engine.call(name, request as LabRequest, watch)),
);
