import type { Backend } from "../../backend/backend.ts";
import { lookup } from "../../core/errors.ts";
import { Rng } from "../../core/rng.ts";
import type { Model } from "../model.ts";
import { resolveHyperparameters } from "../models/hyperparameters.ts";
import type { ModelKind } from "../models/model-kind.ts";
import { vanillaModels } from "../models/vanilla-models.ts";
import { assignWeights, type SavedWeights } from "./weights.ts";

/**
 * The model that saved weights belong to, built as the file says and with these weights. The caller disposes it.
 *
 * @param kinds models by name, which must include the one in the file; default: those without a defence
 * @example
 * const model = restoreModel(backend, decodeWeights(bytesSource(bytes, file.name)));
 */
export function restoreModel(
  backend: Backend,
  saved: SavedWeights,
  kinds: Readonly<Record<string, ModelKind>> = vanillaModels,
): Model {
  const { kind: name, config, sizes } = saved.config;
  const kind = lookup(kinds, name, "model");
  const hyperparameters = resolveHyperparameters(name, kind, config);
  const model = kind.create(backend, sizes, hyperparameters.model, new Rng(0)); // overwritten at once
  try {
    assignWeights(model, saved);
  } catch (error) {
    model.dispose();
    throw error;
  }
  return model;
}
