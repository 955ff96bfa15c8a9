import type { Backend } from "../../backend/backend.ts";
import { checkOptions, defaultsOf, describeOptions, type OptionsOf } from "../../core/options/index.ts";
import type { Rng } from "../../core/rng.ts";
import { pushDiffusion } from "../../ppr/push-diffusion.ts";
import { type GraphView, hostGraph, SparseMatrix, spmm } from "../../tensor/index.ts";
import { exactDiffusion } from "../diffusion/exact-diffusion.ts";
import { localDiffusion } from "../diffusion/local-diffusion.ts";
import { checkDiagonalIsKept } from "../diffusion/normalised-top-k.ts";
import { type TopKMatrix, topKProduct } from "../diffusion/top-k-matrix.ts";
import type { Pass } from "../model.ts";
import { Gcn, type GcnStack, gcnOptions } from "./gcn.ts";
import { alphaOption, methodOption, neighboursOption, toleranceOption } from "./options.ts";

/** The options of PageRank. */
export const pageRankOptions = describeOptions({
  method: methodOption,
  alpha: alphaOption,
  k: neighboursOption,
  epsilon: toleranceOption,
});

const { normalisation: _, ...stackOptions } = gcnOptions;

export const gdcOptions = describeOptions({ ...stackOptions, ...pageRankOptions });

/** Hyperparameters of {@link createGdc}; `rgnn train --model gdc --set list` explains each. */
export type GdcConfig = OptionsOf<typeof gdcOptions>;

/** Defaults of {@link GdcConfig}. Replace some of them with `{ ...gdcDefaults, … }`. */
export const gdcDefaults: GdcConfig = defaultsOf(gdcOptions);

/**
 * A GCN that propagates by PageRank instead of edges (Gasteiger et al. 2019). The matrix is made once per training run
 * and anew for every other graph that the model is evaluated on.
 */
export function createGdc(
  backend: Backend,
  sizes: { features: number; classes: number },
  config: GdcConfig,
  rng: Rng,
): Gcn {
  checkOptions("gdc", gdcOptions, config);
  return new Gcn(backend, sizes, { ...config, normalisation: "symmetric" }, rng, gdcStack(config));
}

function gdcStack(config: GdcConfig): GcnStack {
  return {
    name: "gdc",
    config: { ...config },
    differentiable: { edges: true },
    edges: null,
    diffusion: (view, pass) => {
      const P = gdcMatrix(view, config, pass);
      return (X) => (P instanceof SparseMatrix ? spmm(P, X) : topKProduct(P, X));
    },
  };
}

/** The propagation matrix, by push or exact. If the view has an overlay, gradients reach its pairs. */
export function gdcMatrix(
  view: GraphView,
  config: OptionsOf<typeof pageRankOptions>,
  { constants }: Pass,
): SparseMatrix | TopKMatrix {
  const { method, alpha, k } = config;
  checkDiagonalIsKept(alpha, k, view.numNodes);
  if (method === "push") {
    if (view.overlay) return localDiffusion(view, config);
    return constants.of(view, `push ${alpha} ${k} ${config.epsilon}`, () =>
      SparseMatrix.upload(view.backend, pushDiffusion(hostGraph(view, "gdc").adjacency, config, view.backend)),
    );
  }
  if (view.overlay) return exactDiffusion(view, config);
  return constants.of(view, `exact ${alpha} ${k}`, () => exactDiffusion(view, config));
}
