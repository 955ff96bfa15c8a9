import type { EdgeChanges, TrialStack } from "../backend/backend.ts";
import { gatherNeed } from "./bench-case.ts";
import { NeedCounter, type Needs } from "./need-counter.ts";
import { changeAt } from "./trial-changes.ts";

/** What the trial of one change needs at least, on average. */
export interface TrialNeeds {
  /** Recomputed rows, over all layers. */
  readonly rows: number;
  /** Bytes read and written. */
  readonly bytes: number;
  readonly flops: number;
  /** The needs by the ceilings that bound them. */
  readonly needs: Needs;
}

/**
 * Counts the rows that changes reach in a stack with symmetric normalisation on an undirected graph. A flip changes the
 * degrees of both ends, and so the inputs of all their neighbours. A row that changes in one layer changes the rows of
 * its neighbours in the next. Counted are: the old input of every changed row and the old sum of every reached row, as
 * gathered rows; the new sum, written to a workspace in the cache; the lists of neighbours; and the multiply-adds of
 * sums and weights.
 */
export function trialNeeds(stack: Pick<TrialStack, "adjacency" | "layers">, changes: EdgeChanges): TrialNeeds {
  const counter = new NeedCounter();
  const reach = new Reach(stack.adjacency);
  const count = changes.offsets.length - 1;
  let rows = 0;
  for (let t = 0; t < count; t++) {
    const { sources, targets } = changeAt(changes, t);
    let changed: readonly number[] = [...new Set([...sources, ...targets])];
    for (const [l, layer] of stack.layers.entries()) {
      const { reached, entries } = reach.from(changed);
      const next = layer.weight ? stack.layers[l + 1].width : 0;
      const additions = entries + 3 * changed.length + 2 * sources.length; // a difference takes two, each pair toggles two rows
      counter.add(gatherNeed(changed.length + reached.length, layer.width, stack.adjacency.numRows));
      counter.add({ bound: "cached", amount: 4 * reached.length * layer.width });
      counter.add({ bound: "stream", amount: 4 * entries });
      counter.add({ bound: "flops", amount: 2 * additions * layer.width });
      counter.addProduct({ m: reached.length, n: next, k: layer.width });
      rows += reached.length;
      changed = reached;
    }
  }
  return perTrial(counter.needs, rows, count);
}

function perTrial(total: Needs, rows: number, count: number): TrialNeeds {
  const needs = Object.fromEntries(Object.entries(total).map(([bound, amount]) => [bound, amount / count])) as Needs;
  const { flops, gather, shared, cached, stream } = needs;
  return { rows: rows / count, bytes: gather + shared + cached + stream, flops, needs };
}

/** Finds the rows that read given nodes. */
class Reach {
  private readonly adjacency: TrialStack["adjacency"];
  /** For each node, the number of the last call of `from` that reached it. */
  private readonly seen: Int32Array;
  private question = 0;

  constructor(adjacency: TrialStack["adjacency"]) {
    this.adjacency = adjacency;
    this.seen = new Int32Array(adjacency.numRows);
  }

  /** The nodes and their neighbours, each once, and the number of entries in the rows of the nodes. */
  from(nodes: readonly number[]): { reached: number[]; entries: number } {
    const { rowPtr, colIdx } = this.adjacency;
    this.question++;
    const reached: number[] = [];
    let entries = 0;
    for (const i of nodes) {
      this.enter(i, reached);
      for (let e = rowPtr[i]; e < rowPtr[i + 1]; e++) this.enter(colIdx[e], reached);
      entries += rowPtr[i + 1] - rowPtr[i];
    }
    return { reached, entries };
  }

  private enter(node: number, reached: number[]): void {
    if (this.seen[node] === this.question) return;
    this.seen[node] = this.question;
    reached.push(node);
  }
}
