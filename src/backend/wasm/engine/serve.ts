import { CONTROL, ControlBlock, takeChunks } from "./control.ts";
import { instantiate, kernelTable } from "./module.ts";
import { waitForChange } from "./wait.ts";

/** What a thread is started with. */
export interface WorkerSetup {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  shared: ArrayBufferLike;
  scratch: number;
}

/** A thread of the pool: waits for a job, takes chunks of it until none is left, waits again. Returns when the pool closes. */
export function serve({ module, memory, shared, scratch }: WorkerSetup, ready: () => void): void {
  const kernels = kernelTable(module, instantiate(module, memory, scratch));
  const { words, args, message } = new ControlBlock(shared);
  ready();
  while (!Atomics.load(words, CONTROL.closing)) {
    const sequence = Atomics.load(words, CONTROL.sequence);
    Atomics.add(words, CONTROL.inside, 1);
    try {
      if (Atomics.load(words, CONTROL.open)) work();
    } catch (error) {
      report(error);
    }
    if (Atomics.sub(words, CONTROL.inside, 1) === 1) Atomics.notify(words, CONTROL.inside);
    if (!Atomics.load(words, CONTROL.closing)) waitForChange(words, CONTROL.sequence, sequence);
  }

  function work(): void {
    const kernel = kernels[words[CONTROL.kernel]].call;
    const given = [...args.subarray(0, words[CONTROL.numArgs])];
    takeChunks(words, kernel, given, words[CONTROL.items], words[CONTROL.grain]);
  }

  /** Stores the message for the caller, and removes the remaining chunks so that no thread works on a failed job. */
  function report(error: unknown): void {
    const bytes = new TextEncoder().encode(String(error)).subarray(0, message.length);
    if (Atomics.load(words, CONTROL.failure) === 0) {
      message.set(bytes);
      Atomics.store(words, CONTROL.failure, bytes.length);
    }
    Atomics.store(words, CONTROL.next, 0x3fffffff);
  }
}
