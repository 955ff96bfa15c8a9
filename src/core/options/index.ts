export { defaultsOf, describeOptions, textOf, withDefaults } from "./describe-options.ts";
export { fromJson } from "./from-json.ts";
export { namedFunction } from "./named-function.ts";
export { type RealNumberLimits, realNumber, type WholeNumberLimits, wholeNumber, wholeNumbers } from "./numbers.ts";
export type { Description, Json, Option, OptionsOf, Schema } from "./option.ts";
export { checkKnown, checkOptions, parseOptions, resolveOptions } from "./resolve-options.ts";
export { schemaOf } from "./schema.ts";
export { boolean, choice, text } from "./words.ts";
