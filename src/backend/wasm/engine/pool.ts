import { check } from "../../../core/errors.ts";
import { CONTROL, ControlBlock, type Kernel, MAX_ARGS, takeChunks } from "./control.ts";
import { instantiate, kernelTable } from "./module.ts";
import { startThread, type Thread } from "./thread.ts";
import { waitForZero } from "./wait.ts";

/**
 * Fork and join over one shared memory: a job is a kernel, its arguments and a range of items that all threads, the
 * calling one included, take chunk by chunk from a shared counter. How chunks are dealt out never changes a result,
 * because a chunk writes only what no other chunk writes (rule R1).
 */
export class Pool {
  readonly threads: number;
  /** The kernels of the calling thread, for calls that are not split. */
  readonly kernels: Record<string, Kernel>;
  private readonly control: ControlBlock;
  private readonly numbers: Map<string, number>;
  private workers: readonly Thread[] = [];
  private closed = false;

  private constructor(module: WebAssembly.Module, memory: WebAssembly.Memory, scratch: readonly number[]) {
    this.threads = scratch.length;
    this.control = ControlBlock.forThreads(this.threads);
    this.kernels = instantiate(module, memory, scratch[0]);
    this.numbers = new Map(kernelTable(module, this.kernels).map(({ name }, number) => [name, number]));
  }

  /** One thread per address of scratch space, the first of which is the caller's. */
  static async start(
    module: WebAssembly.Module,
    memory: WebAssembly.Memory,
    scratch: readonly number[],
  ): Promise<Pool> {
    const pool = new Pool(module, memory, scratch);
    const { shared } = pool.control;
    pool.workers = await Promise.all(
      scratch.slice(1).map((address) => startThread({ module, memory, shared, scratch: address })),
    );
    return pool;
  }

  /** Runs `kernel(begin, end, ...args)` over items 0 … items − 1 in chunks of `grain`. */
  run(kernel: string, items: number, grain: number, ...args: number[]): void {
    check(!this.closed, () => `${kernel}: the backend was closed`);
    if (items <= 0) return;
    if (this.workers.length === 0 || items <= grain) {
      const call = this.kernels[kernel];
      for (let begin = 0; begin < items; begin += grain) call(begin, Math.min(items, begin + grain), ...args);
      return;
    }
    this.fork(kernel, items, grain, args);
  }

  private fork(kernel: string, items: number, grain: number, args: number[]): void {
    const { words } = this.control;
    check(args.length <= MAX_ARGS, () => `${kernel}: ${args.length} arguments, at most ${MAX_ARGS} fit`);
    this.control.args.set(args);
    words[CONTROL.kernel] = this.numbers.get(kernel)!;
    words[CONTROL.items] = items;
    words[CONTROL.grain] = grain;
    words[CONTROL.numArgs] = args.length;
    words[CONTROL.failure] = 0;
    Atomics.store(words, CONTROL.next, 0);
    Atomics.store(words, CONTROL.open, 1);
    Atomics.add(words, CONTROL.sequence, 1);
    Atomics.notify(words, CONTROL.sequence);
    try {
      takeChunks(words, this.kernels[kernel], args, items, grain);
    } finally {
      Atomics.store(words, CONTROL.next, 0x3fffffff); // if this thread trapped, the others need not continue
      Atomics.store(words, CONTROL.open, 0);
      waitForZero(words, CONTROL.inside);
    }
    const length = words[CONTROL.failure];
    if (length > 0) {
      const text = new TextDecoder().decode(this.control.message.slice(0, length));
      throw new Error(`${kernel} failed in a worker thread: ${text}`);
    }
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    Atomics.store(this.control.words, CONTROL.closing, 1);
    Atomics.add(this.control.words, CONTROL.sequence, 1);
    Atomics.notify(this.control.words, CONTROL.sequence);
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }
}
