import type { Backend } from "../backend/backend.ts";
import { checkOptions, defaultsOf, describeOptions, type OptionsOf, realNumber } from "../core/options/index.ts";
import type { Rng } from "../core/rng.ts";
import { normalisedAdjacency } from "../graph/normalise.ts";
import { Gcn, gcnOptions } from "../nn/models/gcn.ts";
import type { Sizes } from "../nn/models/model-kind.ts";
import { hostGraph, SparseMatrix, spmm } from "../tensor/index.ts";
import { refuseOverlay } from "./discrete-only.ts";
import { dropDissimilarEdges, similarPairs } from "./jaccard.ts";

export const jaccardGcnOptions = describeOptions({
  ...gcnOptions,
  threshold: realNumber({ default: 0.01, help: "edges with this similarity of features or less are dropped" }),
});

/** Hyperparameters of {@link createJaccardGcn}; `rgnn train --model jaccard-gcn --set list` explains each. */
export type JaccardGcnConfig = OptionsOf<typeof jaccardGcnOptions>;

/** Defaults of {@link JaccardGcnConfig}. Replace some of them with `{ ...jaccardGcnDefaults, … }`. */
export const jaccardGcnDefaults: JaccardGcnConfig = defaultsOf(jaccardGcnOptions);

/** A GCN on the edges between similar nodes (Wu et al. 2019); every graph it is given is purified first. */
export function createJaccardGcn(backend: Backend, sizes: Sizes, config: JaccardGcnConfig, rng: Rng): Gcn {
  checkOptions("jaccard-gcn", jaccardGcnOptions, config);
  return new Gcn(backend, sizes, config, rng, {
    name: "jaccard-gcn",
    config: { ...config },
    differentiable: { edges: false },
    diffusion: (view, { constants }) => {
      refuseOverlay("jaccard-gcn", view);
      const matrix = constants.of(view, "purified Â", () => {
        const { adjacency, features } = hostGraph(view, "jaccard-gcn");
        const kept = dropDissimilarEdges(adjacency, features, config.threshold);
        return SparseMatrix.upload(backend, normalisedAdjacency(kept, config.normalisation));
      });
      return (X) => spmm(matrix, X);
    },
    edges: ({ adjacency, features }) => ({
      adjacency: dropDissimilarEdges(adjacency, features, config.threshold),
      keeps: similarPairs(features, config.threshold),
    }),
  });
}
