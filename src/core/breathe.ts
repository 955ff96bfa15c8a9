/**
 * Returns to the event loop once, so that timers, signals and other work can run. Reading from the CPU backend never
 * waits, so without this a long run on it would not notice Ctrl-C.
 */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") setImmediate(resolve);
    else setTimeout(resolve, 0); // browsers
  });
}
