import { type Transferable, Worker } from "node:worker_threads";
import { DeviceError, Interrupted } from "../../core/errors.ts";
import { unpackError } from "../../experiment/node-workers/thread-error.ts";
import type { CallProgress, FromThread, ToThread } from "./thread-messages.ts";

/** How a call is watched from outside of its thread. */
export interface CallOptions {
  readonly progress?: (progress: CallProgress) => void;
  readonly signal?: AbortSignal;
  /** Buffers that the thread takes over instead of copying them. */
  readonly transfer?: readonly Transferable[];
}

interface RunningCall {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly progress: ((progress: CallProgress) => void) | undefined;
}

/** A thread that answers calls (see `answerCalls`), so that the thread of the server stays free. */
export class ThreadCalls {
  /** Resolves when the thread is gone, for whatever reason. */
  readonly ended: Promise<void>;
  private readonly worker: Worker;
  private readonly running = new Map<number, RunningCall>();
  private calls = 0;
  private end: Error | null = null;

  constructor(file: URL, workerData: unknown) {
    this.worker = new Worker(file, { workerData });
    this.worker.on("message", (message: FromThread) => this.hear(message));
    this.worker.on("error", (error: Error) => this.giveUp(error));
    this.ended = new Promise((resolve) => {
      this.worker.on("exit", () => {
        this.giveUp(new DeviceError("the thread that worked on it has ended"));
        resolve();
      });
    });
  }

  /** How many calls are not answered yet. */
  get numRunning(): number {
    return this.running.size;
  }

  call(
    name: string,
    args: readonly unknown[],
    { progress, signal, transfer = [] }: CallOptions = {},
  ): Promise<unknown> {
    if (this.end) return Promise.reject(this.end);
    if (signal?.aborted) return Promise.reject(new Interrupted("cancelled"));
    const id = this.calls++;
    const cancel = () => this.say({ kind: "cancel", id });
    signal?.addEventListener("abort", cancel);
    const answer = new Promise((resolve, reject) => {
      this.running.set(id, { resolve, reject, progress });
      this.say({ kind: "call", id, name, args }, transfer);
    });
    return answer.finally(() => {
      this.running.delete(id);
      signal?.removeEventListener("abort", cancel);
    });
  }

  /** Ends the thread at once; calls that are not answered fail. */
  async close(): Promise<void> {
    await this.worker.terminate();
    await this.ended;
  }

  private say(message: ToThread, transfer: readonly Transferable[] = []): void {
    this.worker.postMessage(message, [...transfer]);
  }

  private hear(message: FromThread): void {
    const call = this.running.get(message.id);
    if (message.kind === "progress") call?.progress?.(message.progress);
    else if (message.kind === "result") call?.resolve(message.result);
    else call?.reject(unpackError(message.error));
  }

  private giveUp(error: Error): void {
    this.end ??= error;
    for (const { reject } of this.running.values()) reject(this.end);
  }
}
