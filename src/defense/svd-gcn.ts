import type { Backend } from "../backend/backend.ts";
import { checkOptions, defaultsOf, describeOptions, type OptionsOf, wholeNumber } from "../core/options/index.ts";
import type { Rng } from "../core/rng.ts";
import type { Csr } from "../graph/csr.ts";
import { Gcn, gcnOptions } from "../nn/models/gcn.ts";
import type { Sizes } from "../nn/models/model-kind.ts";
import { add, hostGraph, matmul, scaleRows, type Tensor, tensor } from "../tensor/index.ts";
import type { Disposable } from "../tensor/scope.ts";
import { refuseOverlay } from "./discrete-only.ts";
import { truncatedSvd } from "./truncated-svd.ts";

const { normalisation: _, ...stackOptions } = gcnOptions;

export const svdGcnOptions = describeOptions({
  ...stackOptions,
  rank: wholeNumber({ from: 1, default: 50, help: "singular values kept" }),
});

/** Hyperparameters of {@link createSvdGcn}; `rgnn train --model svd-gcn --set list` explains each. */
export type SvdGcnConfig = OptionsOf<typeof svdGcnOptions>;

/** Defaults of {@link SvdGcnConfig}. Replace some of them with `{ ...svdGcnDefaults, … }`. */
export const svdGcnDefaults: SvdGcnConfig = defaultsOf(svdGcnOptions);

/**
 * A GCN on a low-rank approximation of the graph (Entezari et al. 2020), which leaves out what a few flips change:
 * D^(−1/2)(A_r + I)D^(−1/2), A_r = U S Vᵀ. The product is applied factor by factor; A_r itself, n × n, never exists.
 */
export function createSvdGcn(backend: Backend, sizes: Sizes, config: SvdGcnConfig, rng: Rng): Gcn {
  checkOptions("svd-gcn", svdGcnOptions, config);
  return new Gcn(backend, sizes, { ...config, normalisation: "symmetric" }, rng, {
    name: "svd-gcn",
    config: { ...config },
    differentiable: { edges: false },
    edges: null,
    diffusion: (view, { constants }) => {
      refuseOverlay("svd-gcn", view);
      const { adjacency } = hostGraph(view, "svd-gcn");
      const low = constants.of(view, `rank ${config.rank}`, () => new LowRank(backend, adjacency, config.rank));
      return (X) => low.propagate(X);
    },
  });
}

/** The factors of the propagation matrix. */
class LowRank implements Disposable {
  /** U·S, [n, r]. */
  private readonly left: Tensor;
  /** Vᵀ, [r, n]. */
  private readonly right: Tensor;
  /** D^(−1/2); 0 where the low rank leaves a row sum that is not positive. */
  private readonly scale: Tensor;

  constructor(backend: Backend, A: Csr, rank: number) {
    const { singularValues, left, right } = truncatedSvd(A, rank);
    const n = A.numRows;
    const r = singularValues.length;
    const us = new Float32Array(n * r);
    const sums = new Float64Array(n).fill(1);
    for (const [k, u] of left.entries()) {
      const total = right[k].reduce((sum, v) => sum + v, 0);
      for (let i = 0; i < n; i++) {
        us[i * r + k] = u[i] * singularValues[k];
        sums[i] += u[i] * singularValues[k] * total;
      }
    }
    const vt = new Float32Array(r * n);
    for (const [k, v] of right.entries()) vt.set(v, k * n);
    this.left = tensor(backend, us, [n, r]);
    this.right = tensor(backend, vt, [r, n]);
    this.scale = tensor(
      backend,
      sums.map((sum) => (sum > 0 ? 1 / Math.sqrt(sum) : 0)),
      [n],
    );
  }

  propagate(X: Tensor): Tensor {
    const scaled = scaleRows(X, this.scale);
    return scaleRows(add(matmul(this.left, matmul(this.right, scaled)), scaled), this.scale);
  }

  get parts(): Disposable[] {
    return [this.left, this.right, this.scale];
  }

  dispose(): void {
    for (const part of this.parts) part.dispose();
  }
}
