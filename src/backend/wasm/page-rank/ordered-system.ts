import type { HostSum } from "../../sum-rows.ts";
import { PANEL } from "../sparse/panel-entries.ts";

const PANEL_ROW = 4 * PANEL;

/**
 * PageRank as the solution of (I − G)X = αI, with nodes in another order. G = ρ·Q·N·Q is symmetric, not negative and 0 on
 * its diagonal: N is the normalised adjacency without its diagonal Â_ii, and Q_i = (1 − ρÂ_ii)^(−1/2), so that Π = QXQ.
 */
export interface OrderedSystem {
  /** The place of each node in the new order. */
  readonly places: Int32Array;
  /** Q, by node. */
  readonly scale: Float32Array;
  readonly rowPtr: Int32Array;
  /** Two words per entry, by row and place: byte offset of the place in a panel, then the bits of the value. */
  readonly entries: Int32Array;
  /** x = √deg / Q by place, for which no (Gx)_i / x_i is above ρ. */
  readonly positive: Float64Array;
}

/** The system of a symmetric S with these row sums; nodes with many entries come first. */
export function orderedSystem(S: HostSum, degrees: ArrayLike<number>, alpha: number): OrderedSystem {
  const order = byEntries(S.rowPtr);
  const places = new Int32Array(order.length);
  for (let t = 0; t < order.length; t++) places[order[t]] = t;
  const scale = loopScale(S, degrees, 1 - alpha);
  const rowPtr = orderedRowPtr(S.rowPtr, order);
  const roots = Float64Array.from(scale, (q, i) => q / Math.sqrt(degrees[i]));
  const entries = new Int32Array(2 * rowPtr[order.length]);
  const values = new Float32Array(entries.buffer);
  const next = rowPtr.slice(0, -1);
  for (let t = 0; t < order.length; t++) {
    const i = order[t];
    for (let e = S.rowPtr[i]; e < S.rowPtr[i + 1]; e++) {
      const c = S.colIdx[e];
      if (c === i) continue;
      const to = 2 * next[places[c]]++; // by symmetry: rows fill in the order of places
      entries[to] = t * PANEL_ROW;
      values[to + 1] = (1 - alpha) * S.values[e] * roots[i] * roots[c];
    }
  }
  const positive = Float64Array.from(order, (i) => Math.sqrt(degrees[i]) / scale[i]);
  return { places, scale, rowPtr, entries, positive };
}

/** Q of each node: (1 − ρÂ_ii)^(−1/2). */
function loopScale(S: HostSum, degrees: ArrayLike<number>, rho: number): Float32Array {
  const scale = new Float32Array(S.rowPtr.length - 1);
  for (let i = 0; i < scale.length; i++) {
    let loop = 0;
    for (let e = S.rowPtr[i]; e < S.rowPtr[i + 1]; e++) if (S.colIdx[e] === i) loop += S.values[e];
    scale[i] = 1 / Math.sqrt(1 - (rho * loop) / degrees[i]);
  }
  return scale;
}

/** Where rows begin in the new order. Each row has an entry on the diagonal, which is left out. */
function orderedRowPtr(rowPtr: Int32Array, order: Int32Array): Int32Array {
  const ordered = new Int32Array(rowPtr.length);
  for (let t = 0; t < order.length; t++) {
    const i = order[t];
    ordered[t + 1] = ordered[t] + rowPtr[i + 1] - rowPtr[i] - 1;
  }
  return ordered;
}

/** Nodes by falling number of entries, equal ones in order. */
function byEntries(rowPtr: Int32Array): Int32Array {
  const n = rowPtr.length - 1;
  const length = (i: number) => rowPtr[i + 1] - rowPtr[i];
  const starts = new Int32Array(n + 2);
  for (let i = 0; i < n; i++) starts[n - length(i) + 1]++;
  for (let t = 1; t < n + 2; t++) starts[t] += starts[t - 1];
  const order = new Int32Array(n);
  for (let i = 0; i < n; i++) order[starts[n - length(i)]++] = i;
  return order;
}
