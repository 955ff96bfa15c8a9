/**
 * The public surface of `rgnn`; each folder is also an entry point of its own, such as `rgnn/attack`. All of it runs in
 * browsers too; what needs Node is in `rgnn/files` (disks and downloads) and `rgnn/experiment`.
 */
export * from "./attack/index.ts";
export * from "./backend/index.ts";
export * from "./core/index.ts";
export * from "./data/index.ts";
export * from "./defense/index.ts";
export * from "./graph/index.ts";
export * from "./nn/index.ts";
export * from "./ppr/index.ts";
export type { Shape } from "./tensor/index.ts"; // of a tensor; that of a generated graph is in `rgnn/graph`
export * from "./tensor/index.ts";
