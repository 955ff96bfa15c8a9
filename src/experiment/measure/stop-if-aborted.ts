import { Interrupted } from "../../core/errors.ts";
import type { Watch } from "../../nn/training/train.ts";

/** Throws {@link Interrupted} once a run was asked to end. */
export function stopIfAborted({ signal }: Watch): void {
  if (signal?.aborted) throw new Interrupted("interrupted: what is done so far is kept");
}
