/**
 * Errors, random numbers, progress, and the description of options: what every other entry point uses.
 *
 * @module rgnn/core
 */
export { BudgetError, DataError, Interrupted, MemoryError, ShapeError, UserError } from "./errors.ts";
export { defaultsOf, describeOptions } from "./options/describe-options.ts";
export { namedFunction } from "./options/named-function.ts";
export {
  type RealNumberLimits,
  realNumber,
  type WholeNumberLimits,
  wholeNumber,
  wholeNumbers,
} from "./options/numbers.ts";
export type { Description, Json, Option, OptionsOf, Schema } from "./options/option.ts";
export { resolveOptions } from "./options/resolve-options.ts";
export { schemaOf } from "./options/schema.ts";
export { boolean, choice, text } from "./options/words.ts";
export { type Key, philox } from "./philox.ts";
export type { Progress } from "./progress.ts";
export { Rng, type RngState } from "./rng.ts";
export type { StopSignal } from "./stop-signal.ts";
