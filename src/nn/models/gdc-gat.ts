import type { Backend } from "../../backend/backend.ts";
import { checkOptions, defaultsOf, describeOptions, type OptionsOf } from "../../core/options/index.ts";
import type { Rng } from "../../core/rng.ts";
import { SparseMatrix } from "../../tensor/index.ts";
import { topKProduct } from "../diffusion/top-k-matrix.ts";
import { entriesOf, Gat, type GatStack, gatOptions } from "./gat.ts";
import { gdcMatrix, pageRankOptions } from "./gdc.ts";

export const gdcGatOptions = describeOptions({ ...gatOptions, ...pageRankOptions });

/** Hyperparameters of {@link createGdcGat}; `rgnn train --model gdc-gat --set list` explains each. */
export type GdcGatConfig = OptionsOf<typeof gdcGatOptions>;

/** Defaults of {@link GdcGatConfig}. Replace some of them with `{ ...gdcGatDefaults, … }`. */
export const gdcGatDefaults: GdcGatConfig = defaultsOf(gdcGatOptions);

/**
 * A GAT that attends to the nodes that PageRank ranks first instead of neighbours, whatever it gives to them; even nothing,
 * where a component has fewer than k nodes and PageRank is exact. A few random edges change who these are, and all of them
 * count. What is published for GAT agrees with this model (docs/results/gat.md).
 */
export function createGdcGat(
  backend: Backend,
  sizes: { features: number; classes: number },
  config: GdcGatConfig,
  rng: Rng,
): Gat {
  checkOptions("gdc-gat", gdcGatOptions, config);
  return new Gat(backend, sizes, config, rng, gdcGatStack(config));
}

function gdcGatStack(config: GdcGatConfig): GatStack {
  return {
    name: "gdc-gat",
    config: { ...config },
    neighbourhood: (view, pass) => {
      const P = gdcMatrix(view, config, pass);
      if (P instanceof SparseMatrix) return entriesOf(P);
      return { pattern: P.pattern, mix: (attention, h) => topKProduct(P, h, attention) };
    },
  };
}
