/**
 * How often a thread polls before it goes to sleep: for a third of a millisecond, longer than the gap between two
 * kernels of one step. Waking up takes as long as a kernel on a small graph.
 */
const SPINS = 20_000;

/** The main thread of a page is not allowed to sleep: it keeps polling. */
const maySleep = typeof document === "undefined";

/** Returns once word `index` no longer has the value `old`. */
export function waitForChange(words: Int32Array, index: number, old: number): void {
  for (let spin = 0; spin < SPINS; spin++) if (Atomics.load(words, index) !== old) return;
  while (Atomics.load(words, index) === old) if (maySleep) Atomics.wait(words, index, old);
}

/** Returns once word `index` is 0. */
export function waitForZero(words: Int32Array, index: number): void {
  for (let value = Atomics.load(words, index); value !== 0; value = Atomics.load(words, index)) {
    waitForChange(words, index, value);
  }
}
