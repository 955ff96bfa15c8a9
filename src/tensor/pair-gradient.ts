import type { Backend, Buffer, Ends, PairBuffers, Scale } from "../backend/backend.ts";
import { EdgeFactors, type EdgeGradient } from "./edge-factors.ts";
import { isLocal, keep, register } from "./scope.ts";
import { empty, filled, type Tensor } from "./tensor.ts";

/**
 * The gradient of a value by the weights of a block of pairs, which gathers terms on the way back over the tape. Terms whose
 * factors take little memory wait until all of them can be evaluated in one pass over the pairs, on backends where that pays.
 */
export class PairGradient implements EdgeGradient {
  private readonly backend: Backend;
  private readonly pairs: PairBuffers;
  private readonly waiting = new EdgeFactors();
  private values: Tensor | null = null;
  /** Sums that are added with the signs, if no other term comes behind them: a pass over the pairs less. */
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

  /** Lets `write` add a term to the values so far, or write it where there are none. */
  accumulate(write: (out: Buffer, accumulate: boolean) => void): void {
    const isFirst = this.values === null;
    this.values ??= keep(empty(this.backend, [this.pairs.length]));
    write(this.values.buffer, !isFirst);
  }

  /** All terms, times the signs of the pairs; the scope owns the result, and nothing is left here. */
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
