import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { check, DataError } from "../../core/errors.ts";
import type { Csr } from "../../graph/csr.ts";
import type { DenseMatrix } from "../../graph/graph.ts";
import { stackMatrices } from "../../graph/stack-matrices.ts";
import type { PushRowsOptions } from "../../ppr/push-rows.ts";
import type { GraphStore } from "./open-store.ts";
import { type PushAnswer, type PushRequest, type PushWork, READY } from "./push-messages.ts";

/** Most rows per request to a thread: few enough that all threads finish at about the same time. */
const CHUNK = 32;
/** Most rows of features per request. */
const FEATURE_CHUNK = 2048;
/** Requests that a thread is given at a time, so that it does not wait for the next one. */
const AHEAD = 2;

/**
 * Threads that push rows of PageRank on a graph store, and fetch features. They use the mappings of the store that they
 * are given, so close the pool before the store.
 *
 * @example
 * const pool = PushPool.open(store);
 * const rows = await pool.push(Int32Array.of(5, 77), { alpha: 0.1, epsilon: 1e-4, k: 64 });
 * await pool.close();
 */
export class PushPool {
  private readonly numNodes: number;
  private readonly numFeatures: number;
  private readonly threads: readonly PushThread[];
  private readonly queue: Job[] = [];

  private constructor(store: GraphStore, numThreads: number) {
    this.numNodes = store.numNodes;
    this.numFeatures = store.header.numFeatures;
    const { folder, access, mappings } = store;
    this.threads = Array.from({ length: numThreads }, () => new PushThread({ folder, access, mappings }));
  }

  /** Starts as many threads as there are cores, or `numThreads`. */
  static open(store: GraphStore, numThreads: number = availableParallelism()): PushPool {
    check(numThreads >= 1, () => `PushPool: threads must be at least 1, got ${numThreads}`);
    return new PushPool(store, numThreads);
  }

  /** One row per node, in the order of `nodes`: bit for bit those of `pushRowsOf`, for any number of threads. */
  async push(nodes: Int32Array, options: PushRowsOptions): Promise<Csr> {
    const { alpha, epsilon, k } = options;
    const chunks = this.ask(nodes, { alpha, epsilon, k }, CHUNK);
    return stackMatrices((await Promise.all(chunks)) as Csr[], this.numNodes);
  }

  /** Features of these nodes, a row each in this order. */
  async features(nodes: Int32Array): Promise<DenseMatrix> {
    const chunks = (await Promise.all(this.ask(nodes, null, FEATURE_CHUNK))) as DenseMatrix[];
    const { numFeatures } = this;
    const data = new Float32Array(nodes.length * numFeatures);
    let end = 0;
    for (const chunk of chunks) {
      data.set(chunk.data, end);
      end += chunk.data.length;
    }
    return { numRows: nodes.length, numCols: numFeatures, data };
  }

  /** Divides the nodes into chunks that are small enough for every thread to get some, and queues them. */
  private ask(nodes: Int32Array, options: PushRequest["options"], largest: number): Promise<Csr | DenseMatrix>[] {
    const size = Math.max(1, Math.min(largest, Math.ceil(nodes.length / (AHEAD * this.threads.length))));
    const chunks: Promise<Csr | DenseMatrix>[] = [];
    for (let begin = 0; begin < nodes.length; begin += size) {
      const request = { nodes: nodes.slice(begin, begin + size), options };
      chunks.push(new Promise((resolve, reject) => this.queue.push({ request, resolve, reject })));
    }
    this.handOut();
    return chunks;
  }

  /** Ends the threads; requests under way fail. */
  async close(): Promise<void> {
    const closed = new Error("PushPool: was closed");
    for (const { reject } of this.queue.splice(0)) reject(closed);
    await Promise.all(this.threads.map((thread) => thread.end(closed)));
  }

  private handOut(): void {
    for (const thread of this.threads) {
      while (thread.numWaiting < AHEAD && this.queue.length > 0) {
        void thread.run(this.queue.shift()!).then(() => this.handOut());
      }
    }
  }
}

interface Job {
  readonly request: PushRequest;
  resolve(answer: Csr | DenseMatrix): void;
  reject(error: Error): void;
}

/** A thread that answers requests in the order in which it was asked. */
class PushThread {
  private readonly worker: Worker;
  private readonly waiting: Job[] = [];
  private readonly answered: (() => void)[] = [];
  private broken: Error | null = null;
  /** The thread has loaded its modules, or has ended. */
  private readonly loaded: Promise<void>;

  constructor(work: PushWork) {
    const file = import.meta.url.replace(/push-pool(\.[jt]s)$/, "push-worker$1"); // .ts in the sources, .js when built
    this.worker = new Worker(new URL(file), { workerData: work, name: "rgnn-push" });
    this.loaded = new Promise((resolve) => {
      this.worker.once("message", () => resolve());
      this.worker.once("exit", () => resolve());
    });
    this.worker.on("message", (answer: PushAnswer | typeof READY) => {
      if (answer === READY) return;
      const job = this.waiting.shift();
      if (!job) return; // the pool was closed meanwhile
      if ("failed" in answer) job.reject(new DataError(answer.failed));
      else job.resolve(answer);
      this.answered.shift()!();
    });
    this.worker.on("error", (error: Error) => this.fail(error));
  }

  get numWaiting(): number {
    return this.waiting.length;
  }

  /** Resolves when the thread has answered, or when it can no longer answer. */
  async run(job: Job): Promise<void> {
    if (this.broken) return job.reject(this.broken);
    this.waiting.push(job);
    this.worker.postMessage(job.request);
    return new Promise((resolve) => this.answered.push(resolve));
  }

  async end(reason: Error): Promise<void> {
    this.fail(reason);
    await this.loaded; // a thread that is ended while it loads koffi takes the whole process with it
    await this.worker.terminate();
  }

  private fail(error: Error): void {
    this.broken = error;
    for (const { reject } of this.waiting.splice(0)) reject(error);
    for (const resolve of this.answered.splice(0)) resolve();
  }
}
