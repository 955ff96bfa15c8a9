import type { Backend, Buffer, Ends, PairBuffers, Scale } from "../backend/backend.ts";
import { EdgeFactors, type EdgeGradient } from "./edge-factors.ts";
import { isLocal, keep, register } from "./scope.ts";
import { empty, filled, type Tensor } from "./tensor.ts";

/**
 * The gradient with respect to the weights of a block of pairs, which collects terms during the backward pass. On
 * backends where it pays, terms with small factors wait until all of them can be evaluated in one pass over the pairs.
 */
export class PairGradient implements EdgeGradient {
  private readonly backend: Backend;
  private readonly pairs: PairBuffers;
  private readonly waiting = new EdgeFactors();
  private values: Tensor | null = null;
  /** Sums that wait until {@link take} applies the signs, which saves a pass over the pairs. */
  private last: { readonly x: Tensor; readonly ends: Ends } | null = null;

  constructor(backend: Backend, pairs: PairBuffers) {
    this.backend = backend;
    this.pairs = pairs;
    register(this);
  }

  addProduct(P: Tensor, Q: Tensor, scale?: Scale): void {
    const { backend, pairs } = this;
    const cols = P.shape[1];
    const options = { symmetric: !pairs.directed, ...(scale && { scale }) };
    if (this.waits(cols)) this.waiting.addProduct(P, Q, scale);
    else
      this.accumulate((out, accumulate) =>
        backend.sddmm({ out, pairs, P: P.buffer, Q: Q.buffer, cols, ...options, accumulate }),
      );
  }

  addSums(x: Tensor, ends: Ends): void {
    const { backend, pairs } = this;
    if (this.waits(1)) this.waiting.addSums(x, ends);
    else if (isLocal(x) && !this.last) this.last = { x: keep(x), ends };
    else this.accumulate((out, accumulate) => backend.pairSums({ out, pairs, x: x.buffer, ends, accumulate }));
  }

  /** Calls `write` to add a term to the values so far or, if there are none, to write it (`accumulate` is false). */
  accumulate(write: (out: Buffer, accumulate: boolean) => void): void {
    const isFirst = this.values === null;
    this.values ??= keep(empty(this.backend, [this.pairs.length]));
    write(this.values.buffer, !isFirst);
  }

  /** The sum of all terms, times the signs of the pairs. The scope owns the result; this object is empty afterwards. */
  take(signs: Tensor): Tensor {
    const { backend, pairs, waiting, last } = this;
    if (this.values === null && waiting.isEmpty && !last) return filled(backend, [pairs.length], 0);
    if (!waiting.isEmpty) {
      this.accumulate((out, accumulate) => waiting.evaluate(out, pairs, { signs: signs.buffer, accumulate }));
    } else if (last) {
      this.accumulate((out, accumulate) =>
        backend.pairSums({ out, pairs, x: last.x.buffer, ends: last.ends, accumulate, signs: signs.buffer }),
      );
    } else {
      backend.binary("mul", this.values!.buffer, this.values!.buffer, signs.buffer);
    }
    const values = this.values!;
    this.values = null;
    this.dispose();
    register(values);
    return values;
  }

  dispose(): void {
    this.waiting.dispose();
    this.last?.x.dispose();
    this.values?.dispose();
    this.values = this.last = null;
  }

  private waits(cols: number): boolean {
    const { numNodes, length, directed } = this.pairs;
    return !directed && numNodes * cols <= this.backend.factorsPerPair * length;
  }
}
