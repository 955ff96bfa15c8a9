import { Worker } from "node:worker_threads";
import type { LocalResult } from "../../attack/local/local-result.ts";
import type { StopSignal } from "../../core/stop-signal.ts";
import type { NodeJob } from "./node-job.ts";
import type { ServeMessage, ServeSetup } from "./serve-nodes.ts";
import { unpackError } from "./thread-error.ts";
import { WorkQueue } from "./work-queue.ts";

/** How work on several threads is watched. */
export interface SideBySideWatch {
  readonly signal?: StopSignal | undefined;
  /** Called as nodes are finished, whatever their order. */
  finished?(result: LocalResult): void;
  /** Called when all threads have ended, with the memory of their kernels together. */
  ended?(peakBytes: number): void;
}

/** Between looks at the signal: it cannot call us. */
const LOOK_MS = 50;

/**
 * Attacks nodes on several threads, each with models and kernels of its own, which take nodes from one queue. Results come in the
 * order of the job and are the same for any number of threads, because a node's random numbers are its own (rule R1). Ended early, all
 * nodes that are finished come back.
 */
export async function* attackSideBySide(
  job: NodeJob,
  threads: number,
  watch: SideBySideWatch = {},
): AsyncGenerator<LocalResult> {
  const queue = new WorkQueue(job.work.nodes.length);
  const arrivals = new Arrivals(threads, watch);
  const workers = Array.from({ length: threads }, () => startWorker({ job, queue: queue.shared }, arrivals));
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

function startWorker(setup: ServeSetup, arrivals: Arrivals): Worker {
  const file = import.meta.url.replace(/side-by-side(\.[jt]s)$/, "worker$1");
  const worker = new Worker(new URL(file), { workerData: setup, name: "rgnn-nodes" });
  worker.on("message", (message: ServeMessage) => arrivals.add(message));
  worker.on("error", (error) => arrivals.fail(error as Error));
  worker.on("exit", (code) => arrivals.exit(code));
  return worker;
}

/** What threads have sent, put into order. */
class Arrivals {
  private readonly outcomes = new Map<number, LocalResult | Error>();
  private readonly watch: SideBySideWatch;
  private running: number;
  private peakBytes = 0;
  /** What no single node is to blame for. */
  private failure: Error | null = null;
  private wake = () => {};

  constructor(threads: number, watch: SideBySideWatch) {
    this.running = threads;
    this.watch = watch;
  }

  add(message: ServeMessage): void {
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

  /** A thread that ends without a word has failed. */
  exit(code: number): void {
    if (this.running > 0 && code !== 0) this.fail(new Error(`a thread that attacks nodes ended with code ${code}`));
  }

  /** Results by place; then those behind a gap, which a node leaves that was given up. The mistake at the first place is thrown. */
  async *inOrder(): AsyncGenerator<LocalResult> {
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

  private take(place: number): LocalResult {
    const outcome = this.outcomes.get(place)!;
    this.outcomes.delete(place);
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }
}
