import { check } from "../../core/errors.ts";
import type { Neighbours } from "./neighbours.ts";
import type { PushWorkspace } from "./push-workspace.ts";

/** How PageRank is approximated by push. */
export interface PushOptions {
  /** Restart probability α. */
  readonly alpha: number;
  /** Tolerance ε: an entry is too small by at most ε times the degree of its node. */
  readonly epsilon: number;
}

/** Entries of one row, in any order. */
export interface SparseRow {
  readonly columns: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

/**
 * Row `source` of personalised PageRank, α(I − (1 − α)D⁻¹A)⁻¹, by push: a variant of Andersen, Chung and Lang (2006)
 * that takes nodes from a stack, with residuals that are scaled by α from the start. No entry is above the exact one, and
 * on undirected graphs it is below by less than ε·degree.
 *
 * The order of additions and float32 arithmetic are part of the definition: the threaded kernel returns the same bits.
 */
export function push(source: number, graph: Neighbours, options: PushOptions, work: PushWorkspace): SparseRow {
  const { alpha, keep, unit } = roundedPush(options);
  const threshold = (node: number) => unit * graph.degree(node); // rounded to float32 when stored
  const first = work.slotOf(source, threshold);
  work.residual[first] = alpha;
  work.stacked[first] = 1;
  const stack = [first];
  while (stack.length > 0) {
    const v = stack.pop()!;
    work.stacked[v] = 0;
    const rho = work.residual[v];
    work.estimate[v] += rho;
    work.residual[v] = 0;
    const row = graph.neighbours(work.nodeAt(v));
    const share = Math.fround(Math.fround(keep * rho) / row.length);
    for (let e = 0; e < row.length; e++) {
      const w = work.slotOf(row[e], threshold);
      work.residual[w] += share;
      if (work.residual[w] >= work.threshold[w] && !work.stacked[w]) {
        work.stacked[w] = 1;
        stack.push(w);
      }
    }
  }
  return takeEstimate(work);
}

/** The constants of a push in float32: α, 1 − α, and the threshold of a node of degree 1. */
export function roundedPush({ alpha, epsilon }: PushOptions) {
  check(alpha > 0 && alpha < 1, () => `push: alpha must be between 0 and 1, got ${alpha}`);
  check(epsilon > 0, () => `push: epsilon must be above 0, got ${epsilon}; 1e-4 is a common choice`);
  return { alpha: Math.fround(alpha), keep: Math.fround(1 - alpha), unit: Math.fround(alpha * epsilon) };
}

/** The estimates of all nodes that were pushed. Clears the workspace. */
function takeEstimate(work: PushWorkspace): SparseRow {
  const columns: number[] = [];
  const values: number[] = [];
  for (let t = 0; t < work.visited; t++) {
    const slot = work.visitedAt(t);
    if (work.estimate[slot] <= 0) continue;
    columns.push(work.nodeAt(slot));
    values.push(work.estimate[slot]);
  }
  work.clear();
  return { columns, values };
}
