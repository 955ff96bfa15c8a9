import type { Backend } from "../../backend/backend.ts";
import type { Rng } from "../../core/rng.ts";
import { SparseMatrix } from "../../tensor/index.ts";
import { topKProduct } from "../diffusion/top-k-matrix.ts";
import { entriesOf, Gat, type GatConfig, type GatStack, gatDefaults } from "./gat.ts";
import { type GdcConfig, gdcDefaults, gdcMatrix } from "./gdc.ts";

export type GdcGatConfig = GatConfig & Pick<GdcConfig, "method" | "alpha" | "k" | "epsilon">;

const { method, alpha, k, epsilon } = gdcDefaults;

export const gdcGatDefaults: GdcGatConfig = { ...gatDefaults, method, alpha, k, epsilon };

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
  return new Gat(backend, sizes, config, rng, gdcGatStack(config));
}

function gdcGatStack(config: GdcGatConfig): GatStack {
  return {
    name: "gdc-gat",
    config: { ...config },
    neighbourhood: (view, { cache }) => {
      const P = gdcMatrix(view, config, cache);
      if (P instanceof SparseMatrix) return entriesOf(P);
      return { pattern: P.pattern, mix: (attention, h) => topKProduct(P, h, attention) };
    },
  };
}
