/**
 * Lets timers, signals and other work of the program through. Reading from the CPU backend never waits, so a long run
 * on it would otherwise not notice Ctrl-C.
 */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") setImmediate(resolve);
    else setTimeout(resolve, 0); // browsers
  });
}
