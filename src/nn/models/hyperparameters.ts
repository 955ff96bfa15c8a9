import { checkKnown, type Description, parseOptions, resolveOptions } from "../../core/options/index.ts";
import type { Hyperparameters, ModelKind } from "./model-kind.ts";

/** All hyperparameters of a model and of its training. */
export interface ResolvedHyperparameters {
  readonly model: Hyperparameters;
  readonly training: Hyperparameters;
}

/**
 * The defaults of a kind, replaced by each of `layers` in turn: the preset, then what the user asked for. Texts are
 * parsed as the values they stand for. A name that neither the model nor its training knows is an error (R3).
 */
export function resolveHyperparameters(
  name: string,
  kind: ModelKind,
  ...layers: Hyperparameters[]
): ResolvedHyperparameters {
  const both: Description = { ...kind.options, ...kind.trainingOptions };
  const given: Record<string, unknown> = {};
  for (const [key, value] of layers.flatMap((layer) => Object.entries(layer))) {
    checkKnown(name, both, key, "hyperparameter");
    given[key] = typeof value === "string" ? parseOptions(name, both, { [key]: value })[key] : value;
  }
  const of = (part: Description) =>
    resolveOptions(name, part, Object.fromEntries(Object.entries(given).filter(([key]) => Object.hasOwn(part, key))));
  return { model: of(kind.options), training: of(kind.trainingOptions) };
}
