import type { WorkerSetup } from "./serve.ts";

/** A thread of the pool, in Node or in a browser. */
export interface Thread {
  terminate(): unknown;
}

export const isNode = typeof process !== "undefined" && process.versions?.node !== undefined;

/** Whether threads can share memory: a page may only where it is cross-origin isolated. */
export function canShareMemory(): boolean {
  return typeof SharedArrayBuffer !== "undefined" && (isNode || crossOriginIsolated);
}

/** Starts a thread and waits until it can work; rejects where it fails to load. */
export function startThread(setup: WorkerSetup): Promise<Thread> {
  return isNode ? inNode(setup) : inBrowser(setup);
}

async function inNode(setup: WorkerSetup): Promise<Thread> {
  const { Worker } = process.getBuiltinModule("node:worker_threads"); // no import, which bundlers would follow
  const file = import.meta.url.replace(/thread(\.[jt]s)$/, "worker$1"); // not a form in which bundlers look for scripts
  const worker = new Worker(new URL(file), { workerData: setup, name: "rgnn-kernel" });
  await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
  worker.unref();
  return worker;
}

async function inBrowser(setup: WorkerSetup): Promise<Thread> {
  const worker = new Worker(new URL("./browser-worker.js", import.meta.url), { type: "module", name: "rgnn-kernel" });
  const ready = new Promise((resolve, reject) => {
    worker.addEventListener("message", resolve, { once: true });
    worker.addEventListener("error", ({ message }) => reject(new Error(`a kernel thread failed to load: ${message}`)));
  });
  worker.postMessage(setup);
  await ready;
  return worker;
}
