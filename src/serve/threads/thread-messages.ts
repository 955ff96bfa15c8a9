import type { ThreadError } from "../../experiment/node-workers/thread-error.ts";

/** Messages to a thread. */
export type ToThread =
  | { readonly kind: "call"; readonly id: number; readonly name: string; readonly args: readonly unknown[] }
  | { readonly kind: "cancel"; readonly id: number };

/** Messages from a thread. */
export type FromThread =
  | { readonly kind: "progress"; readonly id: number; readonly progress: CallProgress }
  | { readonly kind: "result"; readonly id: number; readonly result: unknown }
  | { readonly kind: "error"; readonly id: number; readonly error: ThreadError };

/** How far a call is. */
export interface CallProgress {
  readonly done: number;
  readonly total: number;
  readonly note: string;
}
