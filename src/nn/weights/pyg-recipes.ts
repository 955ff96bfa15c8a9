import type { Backend } from "../../backend/backend.ts";
import { check, DataError } from "../../core/errors.ts";
import { Rng } from "../../core/rng.ts";
import type { Model } from "../model.ts";
import { Gat, gatDefaults } from "../models/gat.ts";
import { Gcn, type GcnConfig, gcnDefaults } from "../models/gcn.ts";
import { Sgc, sgcDefaults } from "../models/sgc.ts";
import type { PygKind } from "./pyg-layers.ts";
import type { PygStack } from "./pyg-stack.ts";
import type { StoredTensor } from "./safetensors.ts";
import type { WeightsConfig } from "./weights.ts";

/** How a stack of layers becomes a model of ours. */
export interface Recipe {
  readonly config: WeightsConfig["config"];
  /** One for each parameter and statistic of the model, by its name. */
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  /** What the shapes do not show, in words. */
  readonly remark: string;
  make(backend: Backend, sizes: WeightsConfig["sizes"]): Model;
}

/** What is known besides the weights: options of the caller, or the configuration of the model that was exported. */
type Known = Readonly<Record<string, unknown>>;

export const recipes: Readonly<Record<PygKind, (stack: PygStack, known: Known, file: string) => Recipe>> = {
  gcn({ widths, bias, batchNorm, tensors }, known, file) {
    const { activation = "relu" } = known;
    check(
      activation === "relu" || activation === "identity",
      () => `${file}: activation must be relu or identity, got ${activation}`,
    );
    const config: GcnConfig = { ...gcnDefaults, hidden: widths.slice(1, -1), bias, batchNorm, activation };
    const remark = `${bias ? "" : ", no bias"}, activation ${activation}${assumed(known, "activation")}`;
    return {
      config: { ...config },
      tensors,
      remark,
      make: (backend, sizes) => new Gcn(backend, sizes, config, anySeed()),
    };
  },

  gat({ widths, batchNorm, tensors }, _known, file) {
    check(!batchNorm, () => `${file}: GATConv with batch norm cannot be imported`, DataError);
    const config = { ...gatDefaults, hidden: widths.slice(1, -1) };
    const make: Recipe["make"] = (backend, sizes) => new Gat(backend, sizes, config, anySeed());
    return { config, tensors: withBiases(tensors, widths), remark: ", one head", make };
  },

  sgc({ widths, tensors }, known, file) {
    check(widths.length === 2, () => `${file}: ${widths.length - 1} SGConv layers; an sgc has one`, DataError);
    const { steps = sgcDefaults.steps } = known;
    check(
      typeof steps === "number" && Number.isSafeInteger(steps) && steps >= 0,
      () => `${file}: steps must be a whole number from 0, got ${steps}`,
    );
    const own = [...withBiases(tensors, widths)].map(
      ([name, tensor]) => [name.replace("convs.0.", ""), tensor] as const,
    );
    const make: Recipe["make"] = (backend, sizes) => new Sgc(backend, sizes, { steps }, anySeed());
    return { config: { steps }, tensors: new Map(own), remark: `, ${steps} steps${assumed(known, "steps")}`, make };
  },
};

function assumed(known: Known, key: string): string {
  return known[key] === undefined ? " (assumed)" : "";
}

/** Our gat and sgc always have biases; layers without get zeros. */
function withBiases(tensors: PygStack["tensors"], widths: readonly number[]): Map<string, StoredTensor> {
  const zeros = widths.slice(1).map((width, l): [string, StoredTensor] => {
    return [`convs.${l}.bias`, { dtype: "F32", shape: [width], data: new Float32Array(width) }];
  });
  return new Map([...zeros, ...tensors]);
}

/** Any seed will do: the weights are overwritten right after they were drawn. */
function anySeed(): Rng {
  return new Rng(0);
}
