import type { LabCall } from "rgnn/lab";
import type { LabProgress } from "./connection.ts";

/** What a page says to the worker that computes. */
export type ToLab =
  | { readonly id: number; readonly name: LabCall; readonly request: unknown }
  | { readonly id: number; readonly cancel: true };

/** What the worker answers. */
export type FromLab =
  | { readonly id: number; readonly progress: LabProgress }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string; readonly cancelled: boolean };
