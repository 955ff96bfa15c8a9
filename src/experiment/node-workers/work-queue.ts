import type { StopSignal } from "../../core/stop-signal.ts";

const TAKEN = 0;
const STOPPED = 1;
const WORDS = 2;

/**
 * A queue of places 0 … length − 1 for several threads: each place is taken once. It also carries the signal to stop.
 */
export class WorkQueue implements StopSignal {
  /** The memory from which another thread constructs its `WorkQueue`. */
  readonly shared: SharedArrayBuffer;
  private readonly words: Int32Array;
  private readonly length: number;

  constructor(length: number, shared = new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT)) {
    this.length = length;
    this.shared = shared;
    this.words = new Int32Array(shared);
  }

  /** The next place that nobody has taken; null if there is none. */
  take(): number | null {
    const place = Atomics.add(this.words, TAKEN, 1);
    return place < this.length ? place : null;
  }

  /** Hands out no more places; work on those already taken goes on. */
  close(): void {
    Atomics.store(this.words, TAKEN, this.length);
  }

  /** Asks all threads to end what they are doing. */
  stop(): void {
    Atomics.store(this.words, STOPPED, 1);
  }

  get aborted(): boolean {
    return Atomics.load(this.words, STOPPED) !== 0;
  }
}
