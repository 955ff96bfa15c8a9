import { Worker } from "node:worker_threads";
import type { StopSignal } from "../../core/stop-signal.ts";
import { type ThreadError, unpackError } from "./thread-error.ts";
import { WorkQueue } from "./work-queue.ts";

/** What a thread is given when it starts. */
export interface ThreadSetup<Job> {
  readonly job: Job;
  /** Memory of the {@link WorkQueue}. */
  readonly queue: SharedArrayBuffer;
}

/**
 * Messages from a thread: a finished place, an error (`place` is null before the first place), and last that it has
 * ended.
 */
export type ThreadMessage<Result> =
  | { readonly kind: "result"; readonly place: number; readonly result: Result }
  | { readonly kind: "error"; readonly place: number | null; readonly error: ThreadError }
  | { readonly kind: "end"; readonly peakBytes: number };

/** How work on several threads is watched. */
export interface SideBySideWatch<Result> {
  readonly signal?: StopSignal | undefined;
  /** Called as places are finished, whatever their order. */
  finished?(result: Result): void;
  /** Called when all threads have ended, with the sum of their kernels' peak memory. */
  ended?(peakBytes: number): void;
}

/** Work that is divided into places, and the file that its threads start with. */
export interface DividedWork<Job> {
  readonly job: Job;
  readonly places: number;
  readonly threads: number;
  readonly file: URL;
  /** Name of the threads. */
  readonly name: string;
}

/** Milliseconds between checks of the signal, which has no event to listen to. */
const LOOK_MS = 50;

/**
 * Does work on several threads, which take places from one queue. Results come in the order of the places. If
 * interrupted, all finished places are returned.
 */
export async function* workSideBySide<Job, Result>(
  { job, places, threads, file, name }: DividedWork<Job>,
  watch: SideBySideWatch<Result> = {},
): AsyncGenerator<Result> {
  const queue = new WorkQueue(places);
  const arrivals = new Arrivals<Result>(threads, watch);
  const setup: ThreadSetup<Job> = { job, queue: queue.shared };
  const workers = Array.from({ length: threads }, () => {
    const worker = new Worker(file, { workerData: setup, name });
    worker.on("message", (message: ThreadMessage<Result>) => arrivals.add(message));
    worker.on("error", (error) => arrivals.fail(error as Error));
    worker.on("exit", (code) => arrivals.exit(code));
    return worker;
  });
  const looking = setInterval(() => {
    if (watch.signal?.aborted) queue.stop();
  }, LOOK_MS);
  try {
    yield* arrivals.inOrder();
  } finally {
    clearInterval(looking);
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

/** Collects what threads send, and puts results into order. */
class Arrivals<Result> {
  private readonly outcomes = new Map<number, Result | Error>();
  private readonly watch: SideBySideWatch<Result>;
  private running: number;
  private peakBytes = 0;
  /** An error that belongs to no single place. */
  private failure: Error | null = null;
  private wake = () => {};

  constructor(threads: number, watch: SideBySideWatch<Result>) {
    this.running = threads;
    this.watch = watch;
  }

  add(message: ThreadMessage<Result>): void {
    if (message.kind === "result") {
      this.outcomes.set(message.place, message.result);
      this.watch.finished?.(message.result);
    } else if (message.kind === "error") {
      const error = unpackError(message.error);
      if (message.place === null) this.failure ??= error;
      else this.outcomes.set(message.place, error);
    } else {
      this.peakBytes += message.peakBytes;
      this.running--;
      if (this.running === 0) this.watch.ended?.(this.peakBytes);
    }
    this.wake();
  }

  fail(error: Error): void {
    this.failure ??= error;
    this.wake();
  }

  /** A thread that exits with an error code has failed. */
  exit(code: number): void {
    if (this.running > 0 && code !== 0) this.fail(new Error(`a worker thread ended with code ${code}`));
  }

  /**
   * Yields results by place. When all threads have ended, those after a gap follow: a place that was given up leaves
   * one. Throws at the first place that failed.
   */
  async *inOrder(): AsyncGenerator<Result> {
    let next = 0;
    for (;;) {
      for (; this.outcomes.has(next); next++) yield this.take(next);
      if (this.failure) throw this.failure;
      if (this.running === 0) break;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    const rest = [...this.outcomes.keys()].sort((a, b) => a - b);
    for (const place of rest) yield this.take(place);
  }

  private take(place: number): Result {
    const outcome = this.outcomes.get(place)!;
    this.outcomes.delete(place);
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }
}
