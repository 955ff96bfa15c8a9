import type { Watch } from "../nn/training/train.ts";

/** What receives the progress of a call, and the signal that ends the call early. */
export type LabWatch = Pick<Watch, "progress" | "signal">;
