export { breathe } from "./breathe.ts";
export { BudgetError, check, DataError, Interrupted, lookup, MemoryError, ShapeError, UserError } from "./errors.ts";
export * as options from "./options/index.ts";
export type { Key } from "./philox.ts";
export { philox } from "./philox.ts";
export { type Progress, silent } from "./progress.ts";
export { Rng } from "./rng.ts";
export { WeightedChoice } from "./weighted-choice.ts";
