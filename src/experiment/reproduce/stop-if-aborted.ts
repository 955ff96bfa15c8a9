import { Interrupted } from "../../core/errors.ts";

/** Throws {@link Interrupted} once a run was asked to end. */
export function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new Interrupted("interrupted; what was measured before is kept");
}
