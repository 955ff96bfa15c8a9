import type { Backend } from "../backend/backend.ts";
import { check } from "../core/errors.ts";
import { checkOptions, defaultsOf, describeOptions, type OptionsOf, withDefaults } from "../core/options/index.ts";
import type { Rng } from "../core/rng.ts";
import { Gcn, type GcnStack } from "../nn/models/gcn.ts";
import { gdcMatrix, gdcOptions } from "../nn/models/gdc.ts";
import type { Sizes } from "../nn/models/model-kind.ts";
import type { RobustAggregate } from "./neighbour-matrix.ts";
import { temperatureOption } from "./options.ts";
import { softMedian } from "./soft-median.ts";
import { softMedoid } from "./soft-medoid.ts";

export const softMedoidGdcOptions = describeOptions({ ...gdcOptions, temperature: temperatureOption });
export const softMedianGdcOptions = withDefaults(softMedoidGdcOptions, { temperature: 0.2 });

/**
 * Hyperparameters of {@link createSoftMedianGdc} and {@link createSoftMedoidGdc}; `rgnn train --model soft-median-gdc --set
 * list` explains each.
 */
export type RobustGdcConfig = OptionsOf<typeof softMedianGdcOptions>;

/** Defaults of {@link createSoftMedianGdc}. */
export const softMedianGdcDefaults: RobustGdcConfig = defaultsOf(softMedianGdcOptions);
/** Defaults of {@link createSoftMedoidGdc}. */
export const softMedoidGdcDefaults: RobustGdcConfig = defaultsOf(softMedoidGdcOptions);

/** GDC whose layers take the Soft Median of PageRank neighbours; differentiable by edges. */
export function createSoftMedianGdc(backend: Backend, sizes: Sizes, config: RobustGdcConfig, rng: Rng): Gcn {
  const aggregate: RobustAggregate = (P, X) => softMedian(P, X, config.temperature);
  return create(backend, sizes, rng, robustStack("soft-median-gdc", config, true, aggregate));
}

/** GDC whose layers take the Soft Medoid of PageRank neighbours; no gradient reaches the edges. */
export function createSoftMedoidGdc(backend: Backend, sizes: Sizes, config: RobustGdcConfig, rng: Rng): Gcn {
  const aggregate: RobustAggregate = (P, X) => softMedoid(P, X, config);
  return create(backend, sizes, rng, robustStack("soft-medoid-gdc", config, false, aggregate));
}

function create(backend: Backend, sizes: Sizes, rng: Rng, stack: GcnStack & { readonly config: RobustGdcConfig }): Gcn {
  checkOptions(stack.name, softMedianGdcOptions, stack.config);
  return new Gcn(backend, sizes, { ...stack.config, normalisation: "symmetric" }, rng, stack);
}

/** Layers of a GCN that mix PageRank neighbours by any robust aggregation. */
export function robustStack(
  name: string,
  config: RobustGdcConfig,
  edges: boolean,
  aggregate: RobustAggregate,
): GcnStack & { readonly config: RobustGdcConfig & Readonly<Record<string, unknown>> } {
  return {
    name,
    config: { ...config },
    differentiable: { edges },
    edges: null,
    diffusion: (view, pass) => {
      check(
        edges || !view.overlay,
        () => `${name} cannot be differentiated by edges; attack a surrogate such as gcn and transfer`,
      );
      const P = gdcMatrix(view, config, pass);
      return (X) => aggregate(P, X);
    },
  };
}
