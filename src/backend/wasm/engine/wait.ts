/**
 * Rounds of looking before a thread goes to sleep, a third of a millisecond: more than the gap between two kernels of one
 * step, because waking up takes as long as a kernel on a small graph.
 */
const SPINS = 20_000;

/** The main thread of a page is not allowed to sleep: it goes on looking. */
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
