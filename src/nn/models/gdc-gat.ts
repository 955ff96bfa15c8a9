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
 * A GAT that attends to the k nodes with the highest PageRank instead of neighbours, whatever their PageRank: even 0,
 * where a component has fewer than k nodes and PageRank is exact. A few random edges change which nodes these are, and
 * attention counts all of them. The results published for GAT agree with this model (docs/results/gat.md).
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
