import type { Backend } from "../backend/backend.ts";
import { check } from "../core/errors.ts";
import type { Rng } from "../core/rng.ts";
import { pushDiffusion } from "../ppr/push-diffusion.ts";
import { type GraphView, SparseMatrix, spmm } from "../tensor/index.ts";
import type { Aggregate } from "./aggregate.ts";
import { checkDiagonalIsKept, exactDiffusion } from "./exact-diffusion.ts";
import type { ForwardCache } from "./forward-cache.ts";
import { Gcn, type GcnConfig, type GcnStack, gcnDefaults } from "./gcn.ts";
import { topKProduct } from "./top-k-matrix.ts";

export interface GdcConfig extends Omit<GcnConfig, "normalisation"> {
  /** Exact PageRank, dense but differentiable by edges, or push, for large graphs. */
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
    differentiable: { edges: config.method === "exact" },
    diffusion: (view, { cache }) => gdcAggregate(view, config, cache),
  };
}

/** Multiplication by the propagation matrix. */
function gdcAggregate(view: GraphView, config: GdcConfig, cache: ForwardCache): Aggregate {
  const { method, alpha, k } = config;
  checkDiagonalIsKept(alpha, k, view.graph.numNodes);
  if (method === "push") {
    check(!view.overlay, () => "gdc with method push cannot be differentiated by edges; choose method exact");
    const P = cache.once("edges", `push ${alpha} ${k} ${config.epsilon}`, () =>
      SparseMatrix.upload(view.backend, pushDiffusion(view.graph.adjacency, config, view.backend)),
    );
    return (X) => spmm(P, X);
  }
  if (view.overlay) {
    const P = exactDiffusion(view, config);
    return (X) => topKProduct(P, X);
  }
  const P = cache.once("edges", `exact ${alpha} ${k}`, () => exactDiffusion(view, config));
  return (X) => topKProduct(P, X);
}
