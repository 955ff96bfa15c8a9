import type { Watch } from "../nn/training/train.ts";

/** How a call is watched and ended. */
export type LabWatch = Pick<Watch, "progress" | "signal">;
