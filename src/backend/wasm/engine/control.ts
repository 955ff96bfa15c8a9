/**
 * The words through which the calling thread and the workers agree on a job. A job is open while chunks may be taken; a
 * worker enters (counts itself in), checks whether a job is open, works, and leaves. The caller closes the job when no
 * chunks are left and waits until no worker is inside, so a worker that wakes up late finds the job closed.
 */
export const CONTROL = {
  /** Changes with every job; sleeping workers wait on it. */
  sequence: 0,
  open: 1,
  /** Workers between entering and leaving; the caller waits on it. */
  inside: 2,
  /** Next chunk to take. */
  next: 3,
  kernel: 4,
  items: 5,
  grain: 6,
  numArgs: 7,
  /** Bytes of the error message of the first worker that failed, or 0. */
  failure: 8,
  /** 1 when the workers should end. */
  closing: 9,
} as const;

export const MAX_ARGS = 24;
const WORDS_BYTES = 64;
const ARGS_BYTES = MAX_ARGS * 8;
const MESSAGE_BYTES = 512;

/** Typed views of the block that all threads share. With a single thread it need not be shared memory. */
export class ControlBlock {
  readonly shared: ArrayBufferLike;
  readonly words: Int32Array;
  readonly args: Float64Array;
  readonly message: Uint8Array;

  constructor(shared: ArrayBufferLike) {
    this.shared = shared;
    this.words = new Int32Array(shared, 0, WORDS_BYTES / 4);
    this.args = new Float64Array(shared, WORDS_BYTES, MAX_ARGS);
    this.message = new Uint8Array(shared, WORDS_BYTES + ARGS_BYTES, MESSAGE_BYTES);
  }

  static forThreads(threads: number): ControlBlock {
    const bytes = WORDS_BYTES + ARGS_BYTES + MESSAGE_BYTES;
    return new ControlBlock(threads > 1 ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
  }
}

export type Kernel = (begin: number, end: number, ...args: number[]) => void;

/** Takes chunks of the open job until none is left. */
export function takeChunks(
  words: Int32Array,
  kernel: Kernel,
  args: readonly number[],
  items: number,
  grain: number,
): void {
  for (;;) {
    const begin = Atomics.add(words, CONTROL.next, 1) * grain;
    if (begin >= items) return;
    kernel(begin, Math.min(items, begin + grain), ...args);
  }
}
