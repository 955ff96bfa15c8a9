import type { Csr } from "../../graph/csr.ts";
import { columnDegrees, rowDegrees } from "../../graph/degrees.ts";
import { type Flips, toggleEntries } from "../../graph/flips.ts";
import type { Backend } from "../backend.ts";
import type { EdgeChanges, FlipTrials, TrialLayer, TrialOutcomes, TrialStack } from "../contract/flip-trials.ts";

/** A whole forward pass in float64 for every trial, on the calling thread: slow, but it defines all other versions. */
export function openTrials(): Backend["openTrials"] {
  return async (stack) => new WholePassTrials(stack);
}

/** Margin of a tie, or minus that, so that no margin is 0. */
const TIE = 1e-30;

class WholePassTrials implements FlipTrials {
  private readonly stack: TrialStack;
  private adjacency: Csr;
  private current: Float64Array;

  constructor(stack: TrialStack) {
    this.stack = stack;
    this.adjacency = stack.adjacency;
    this.current = marginsOn(stack, stack.adjacency);
  }

  outcomes({ offsets, sources, targets }: EdgeChanges): TrialOutcomes {
    const count = offsets.length - 1;
    const outcomes = {
      positive: new Float32Array(count),
      margin: new Float32Array(count),
      bounded: new Float32Array(count),
    };
    for (let t = 0; t < count; t++) {
      const begin = offsets[t];
      const end = offsets[t + 1];
      const change = { sources: sources.subarray(begin, end), targets: targets.subarray(begin, end) };
      const changed = marginsOn(this.stack, toggleEntries(this.adjacency, change, this.stack.directed));
      for (const [v, own] of this.stack.classes.entries()) {
        if (own < 0) continue;
        const before = this.current[v];
        const after = changed[v];
        outcomes.positive[t] += Number(after > 0) - Number(before > 0);
        outcomes.margin[t] += after - before;
        outcomes.bounded[t] += after / (1 + Math.abs(after)) - before / (1 + Math.abs(before));
      }
    }
    return outcomes;
  }

  keep(flips: Flips): void {
    this.adjacency = toggleEntries(this.adjacency, flips, this.stack.directed);
    this.current = marginsOn(this.stack, this.adjacency);
  }

  margins(): Float32Array {
    return Float32Array.from(this.current);
  }

  close(): void {}
}

function marginsOn(stack: TrialStack, adjacency: Csr): Float64Array {
  const { layers, classes, towards, normalisation } = stack;
  const n = adjacency.numRows;
  const degrees = normalisation === "row" ? rowDegrees(adjacency) : columnDegrees(adjacency);
  const root = Float64Array.from(degrees, (degree) => 1 / Math.sqrt(degree + 1));
  let U = Float64Array.from(stack.input);
  let H = U;
  for (const [l, layer] of layers.entries()) {
    H = new Float64Array(n * layer.width);
    for (let i = 0; i < n; i++) {
      const add = (j: number) => {
        const weight = normalisation === "row" ? 1 / (degrees[i] + 1) : root[i] * root[j];
        for (let c = 0; c < layer.width; c++) H[i * layer.width + c] += weight * U[j * layer.width + c];
      };
      add(i);
      for (let e = adjacency.rowPtr[i]; e < adjacency.rowPtr[i + 1]; e++) add(adjacency.colIdx[e]);
    }
    activate(H, layer);
    if (l + 1 < layers.length) U = multiply(H, layer, layers[l + 1].width);
  }
  const width = layers[layers.length - 1].width;
  return Float64Array.from(classes, (own, v) => {
    if (own < 0) return 0;
    const logits = H.subarray(v * width, (v + 1) * width);
    const margin = marginOf(logits, own);
    return towards ? -margin : margin;
  });
}

/** Logit of the class minus the best other one. If they are equal, the first of the two wins by {@link TIE}. */
function marginOf(logits: Float64Array, own: number): number {
  const best = Math.max(...logits.filter((_, c) => c !== own));
  const other = logits.findIndex((logit, c) => c !== own && logit === best);
  return logits[own] - best || (own < other ? TIE : -TIE);
}

function activate(H: Float64Array, { width, scale, shift, relu }: TrialLayer): void {
  for (let at = 0; at < H.length; at++) {
    const c = at % width;
    const value = H[at] * (scale?.[c] ?? 1) + (shift?.[c] ?? 0);
    H[at] = relu ? Math.max(value, 0) : value;
  }
}

function multiply(H: Float64Array, { width, weight }: TrialLayer, columns: number): Float64Array<ArrayBuffer> {
  if (!weight) return Float64Array.from(H);
  const out = new Float64Array((H.length / width) * columns);
  for (let at = 0; at < H.length; at++) {
    const row = Math.floor(at / width);
    for (let c = 0; c < columns; c++) out[row * columns + c] += H[at] * weight[(at % width) * columns + c];
  }
  return out;
}
