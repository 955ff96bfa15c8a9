import type { Backend } from "../backend/backend.ts";
import { checkOptions, defaultsOf, describeOptions, type OptionsOf, withDefaults } from "../core/options/index.ts";
import type { Rng } from "../core/rng.ts";
import type { Sizes } from "../nn/models/model-kind.ts";
import { Pprgo, pprgoOptions } from "../nn/models/pprgo.ts";
import { temperatureOption } from "./options.ts";
import { softMedian } from "./soft-median.ts";
import { softMedoid } from "./soft-medoid.ts";

export const robustPprgoOptions = describeOptions({
  ...withDefaults(pprgoOptions, { dropout: 0.5 }),
  temperature: temperatureOption,
});

/**
 * Hyperparameters of {@link createSoftMedianPprgo} and {@link createSoftMedoidPprgo}; `rgnn train --model soft-median-pprgo
 * --set list` explains each.
 */
export type RobustPprgoConfig = OptionsOf<typeof robustPprgoOptions>;

/** Defaults of {@link RobustPprgoConfig}. */
export const robustPprgoDefaults: RobustPprgoConfig = defaultsOf(robustPprgoOptions);

/** PPRGo in which a node takes the Soft Median of the encoder's class scores for its neighbours. */
export function createSoftMedianPprgo(backend: Backend, sizes: Sizes, config: RobustPprgoConfig, rng: Rng): Pprgo {
  checkOptions("soft-median-pprgo", robustPprgoOptions, config);
  return new Pprgo(backend, sizes, config, rng, {
    name: "soft-median-pprgo",
    isLinear: false,
    aggregate: (neighbours, encoded) => softMedian(neighbours, encoded, config.temperature),
  });
}

/** PPRGo in which a node takes the Soft Medoid of the encoder's class scores for its neighbours. */
export function createSoftMedoidPprgo(backend: Backend, sizes: Sizes, config: RobustPprgoConfig, rng: Rng): Pprgo {
  checkOptions("soft-medoid-pprgo", robustPprgoOptions, config);
  return new Pprgo(backend, sizes, config, rng, {
    name: "soft-medoid-pprgo",
    isLinear: false,
    aggregate: (neighbours, encoded) => softMedoid(neighbours, encoded, config),
  });
}
