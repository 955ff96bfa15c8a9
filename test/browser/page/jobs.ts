// What a test asks of the page: jobs in a worker or on the page's own thread, and files that were handed to it.
import { createWasm } from "rgnn";
import { bytesSource, droppedFiles, preprocess, readGraphFiles } from "rgnn/data";
import { decodeWeights, restoreModel } from "rgnn/nn";
import { type Job, type JobResult, trainAndAttack } from "./job.ts";

/** Losses and flips, or what went wrong. */
export interface Answer {
  readonly result?: JobResult;
  readonly error?: string;
}

function inWorker(job: Job): Promise<Answer> {
  const worker = new Worker(new URL("./job-worker.ts", import.meta.url), { type: "module" });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(job);
  });
}

/** The files that the test put into the form. */
function files(): File[] {
  return [...document.querySelector("input")!.files!];
}

async function describeGraph(): Promise<object> {
  const { graph } = preprocess(await readGraphFiles(await droppedFiles(files())));
  return { numNodes: graph.numNodes, numEntries: graph.numEntries, labels: [...graph.labels] };
}

async function describeModel(): Promise<object> {
  const [file] = files();
  const saved = decodeWeights(bytesSource(new Uint8Array(await file.arrayBuffer()), file.name));
  const cpu = await createWasm();
  const model = restoreModel(cpu, saved);
  const weight = await model.parameters.get("convs.0.weight")!.read();
  await cpu.close();
  return { kind: saved.config.kind, config: model.config, weight: [...weight] };
}

export const page = { inWorker, onThePage: trainAndAttack, describeGraph, describeModel };
Object.assign(globalThis, { page });
