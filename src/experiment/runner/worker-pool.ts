import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { DeviceError } from "../../core/errors.ts";
import type { StopSignal } from "../../core/stop-signal.ts";
import type { RunStore } from "../store/store.ts";
import { newOwner } from "./owner.ts";
import type { WorkEvent } from "./work-through.ts";

/** Settings that are sent to a worker process. */
export interface WorkerSettings {
  /** Where the store is. Sent as a message, because an address may hold a password and arguments can be read by others. */
  readonly place: string;
  /** The folder of the artefacts. */
  readonly artefacts: string;
  readonly owner: string;
  readonly study?: string;
  readonly devices?: readonly string[];
  readonly threads: number;
  readonly dataDir?: string;
}

export interface PoolOptions extends Omit<WorkerSettings, "owner"> {
  readonly workers: number;
  readonly signal?: StopSignal;
  /** `worker` is a number below `workers`. */
  readonly tell: (worker: number, event: WorkEvent) => void;
}

/**
 * Runs worker processes until nothing waits. A process that dies is replaced: its runs wait again, or fail if they have
 * killed too many.
 */
export async function runPool(store: RunStore, options: PoolOptions): Promise<void> {
  const { workers } = options;
  await Promise.all(Array.from({ length: workers }, (_, worker) => keepWorking(store, options, worker)));
}

async function keepWorking(store: RunStore, options: PoolOptions, worker: number): Promise<void> {
  for (;;) {
    const owner = newOwner();
    const { hasEnded, hasBegun, error } = await runWorker(options, worker, owner);
    if (hasEnded || options.signal?.aborted) return;
    await store.release(owner);
    if (!hasBegun) throw new DeviceError(`a worker process could not begin: ${error ?? "it ended without a word"}`);
  }
}

/** Milliseconds between checks of the signal; once it is aborted, each check tells the process to stop. */
const STOP_MS = 100;

interface WorkerEnd {
  /** True if it ended because nothing was left to do. */
  readonly hasEnded: boolean;
  /** True if it began a run. */
  readonly hasBegun: boolean;
  readonly error: string | null;
}

function runWorker(options: PoolOptions, worker: number, owner: string): Promise<WorkerEnd> {
  const { workers: _, signal, tell, ...settings } = options;
  const child = startWorker();
  let hasBegun = false;
  let error: string | null = null;
  const stopper = setInterval(() => signal?.aborted && child.connected && child.send("stop"), STOP_MS);
  child.on("message", (event: WorkEvent | { kind: "ended"; error: string }) => {
    if (event.kind === "ended") error = event.error;
    else tell(worker, event);
    hasBegun ||= event.kind === "began";
  });
  child.send({ ...settings, owner } satisfies WorkerSettings);
  return new Promise((resolve) => {
    child.on("error", () => {}); // a message could not be sent: the process has ended, and `exit` handles that
    child.on("exit", (code) => {
      clearInterval(stopper);
      resolve({ hasEnded: code === 0, hasBegun, error });
    });
  });
}

function startWorker(): ChildProcess {
  const extension = import.meta.filename.endsWith(".ts") ? ".ts" : ".js"; // from the sources, or from the package
  const file = join(import.meta.dirname, `worker-process${extension}`);
  return fork(file, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
}
