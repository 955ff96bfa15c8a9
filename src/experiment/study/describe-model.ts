import type { Description, Json } from "../../core/options/index.ts";
import { resolveHyperparameters } from "../../nn/models/hyperparameters.ts";
import { presetOf } from "../../nn/models/presets.ts";
import { modelKinds, presets } from "../models.ts";
import { canonicalJson } from "./canonical-json.ts";
import type { ModelDescription } from "./run-description.ts";
import type { NamedOptions } from "./study.ts";

/** All hyperparameters: those given, then those published for the dataset, then the defaults. */
export function describeModel({ name, options, trainedWith }: NamedOptions, dataset: string): ModelDescription {
  const hyperparameters = hyperparametersOf(name, options, dataset);
  if (!trainedWith) return { name, hyperparameters };
  return { name, hyperparameters, trainedWith: hyperparametersOf(name, trainedWith, dataset) };
}

/** Whether two descriptions are of the same model. */
export function isSameModel(a: ModelDescription, b: ModelDescription): boolean {
  return canonicalJson(a as unknown as Json) === canonicalJson(b as unknown as Json);
}

function hyperparametersOf(name: string, options: NamedOptions["options"], dataset: string): Record<string, Json> {
  const kind = modelKinds[name];
  const { model, training } = resolveHyperparameters(name, kind, presetOf(presets, name, dataset).values, options);
  return { ...toJson(kind.options, model), ...toJson(kind.trainingOptions, training) };
}

function toJson(description: Description, values: Readonly<Record<string, unknown>>): Record<string, Json> {
  const entries = Object.entries(description).map(([name, option]) => [name, option.toJson(values[name])]);
  return Object.fromEntries(entries);
}
