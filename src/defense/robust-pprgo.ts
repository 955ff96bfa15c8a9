import type { Backend } from "../backend/backend.ts";
import type { Rng } from "../core/rng.ts";
import type { Sizes } from "../nn/models/model-kind.ts";
import { Pprgo, type PprgoConfig, pprgoDefaults } from "../nn/models/pprgo.ts";
import { softMedian } from "./soft-median.ts";
import { softMedoid } from "./soft-medoid.ts";

export interface RobustPprgoConfig extends PprgoConfig {
  /** T of the robust aggregation: low is robust, high is accurate. */
  readonly temperature: number;
}

export const robustPprgoDefaults: RobustPprgoConfig = { ...pprgoDefaults, dropout: 0.5, temperature: 0.5 };

/** PPRGo in which a node takes the Soft Median of what the encoder says of its neighbours. */
export function createSoftMedianPprgo(backend: Backend, sizes: Sizes, config: RobustPprgoConfig, rng: Rng): Pprgo {
  return new Pprgo(backend, sizes, config, rng, {
    name: "soft-median-pprgo",
    isLinear: false,
    aggregate: (neighbours, encoded) => softMedian(neighbours, encoded, config.temperature),
  });
}

/** The same with the Soft Medoid. */
export function createSoftMedoidPprgo(backend: Backend, sizes: Sizes, config: RobustPprgoConfig, rng: Rng): Pprgo {
  return new Pprgo(backend, sizes, config, rng, {
    name: "soft-medoid-pprgo",
    isLinear: false,
    aggregate: (neighbours, encoded) => softMedoid(neighbours, encoded, config),
  });
}
