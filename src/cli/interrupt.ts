import { Interrupted } from "../core/errors.ts";

/**
 * Runs work that Ctrl-C can stop. The first Ctrl-C aborts the signal, so that the work stops and keeps what it has; the
 * second kills the process as usual.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = () => {
    console.error("\nstopping; what is done so far is kept (Ctrl-C again to quit at once)");
    controller.abort();
  };
  process.once("SIGINT", stop);
  try {
    return await work(controller.signal);
  } finally {
    process.removeListener("SIGINT", stop);
  }
}

/** Ends a command whose partial result has been shown: exit code 130. */
export function endIfInterrupted(interrupted: boolean): void {
  if (interrupted) throw new Interrupted("interrupted: the result is partial");
}
