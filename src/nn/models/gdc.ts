import type { Backend } from "../../backend/backend.ts";
import type { Rng } from "../../core/rng.ts";
import { pushDiffusion } from "../../ppr/push-diffusion.ts";
import { type GraphView, hostGraph, SparseMatrix, spmm } from "../../tensor/index.ts";
import { exactDiffusion } from "../diffusion/exact-diffusion.ts";
import { localDiffusion } from "../diffusion/local-diffusion.ts";
import { checkDiagonalIsKept } from "../diffusion/normalised-top-k.ts";
import { type TopKMatrix, topKProduct } from "../diffusion/top-k-matrix.ts";
import type { Pass } from "../model.ts";
import { Gcn, type GcnConfig, type GcnStack, gcnDefaults } from "./gcn.ts";

export interface GdcConfig extends Omit<GcnConfig, "normalisation"> {
  /** Exact PageRank, which is dense, or push, for large graphs; attacks differentiate through both. */
  readonly method: "exact" | "push";
  /** Restart probability of PageRank. */
  readonly alpha: number;
  /** Neighbours kept per node. */
  readonly k: number;
  /** Tolerance of push. */
  readonly epsilon: number;
}

const { normalisation: _, ...stackDefaults } = gcnDefaults;

export const gdcDefaults: GdcConfig = { ...stackDefaults, method: "exact", alpha: 0.15, k: 64, epsilon: 1e-4 };

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
  return new Gcn(backend, sizes, { ...config, normalisation: "symmetric" }, rng, gdcStack(config));
}

function gdcStack(config: GdcConfig): GcnStack {
  return {
    name: "gdc",
    config: { ...config },
    differentiable: { edges: true },
    diffusion: (view, pass) => {
      const P = gdcMatrix(view, config, pass);
      return (X) => (P instanceof SparseMatrix ? spmm(P, X) : topKProduct(P, X));
    },
  };
}

/** The propagation matrix by push or exact; where there is an overlay, gradients reach it. */
export function gdcMatrix(
  view: GraphView,
  config: Pick<GdcConfig, "method" | "alpha" | "k" | "epsilon">,
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
