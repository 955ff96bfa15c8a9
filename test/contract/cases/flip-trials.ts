import type { EdgeChanges, TrialLayer, TrialStack } from "../../../src/backend/backend.ts";
import type { Flips } from "../../../src/graph/flips.ts";
import { randomGraph } from "../../support/any-graph.ts";
import type { Contract, Results } from "../contract.ts";
import type { Side } from "../side.ts";

const NODES = 60;

interface Kind {
  readonly widths: readonly number[];
  readonly directed?: boolean;
  readonly normalisation?: TrialStack["normalisation"];
  readonly towards?: boolean;
  readonly relu?: boolean;
  /** Layers without weights, as an SGC has. */
  readonly unweighted?: boolean;
}

function stackOf(side: Side, kind: Kind): TrialStack {
  const { widths, directed = false, normalisation = "symmetric", towards = false, relu = true, unweighted } = kind;
  const values = (length: number) => Float32Array.from({ length }, () => side.rng.normal());
  const last = widths.length - 1;
  const layers = widths.map(
    (width, l): TrialLayer => ({
      width,
      scale: relu && l < last ? values(width) : null,
      shift: unweighted && l < last ? null : values(width),
      relu: relu && l < last,
      weight: l === last || unweighted ? null : values(width * widths[l + 1]),
    }),
  );
  const { adjacency } = randomGraph(NODES, 0.06, 3, { directed });
  const classes = Int32Array.from({ length: NODES }, () => side.rng.integer(widths[last] + 1) - 1);
  return { adjacency, directed, normalisation, input: values(NODES * widths[0]), layers, classes, towards };
}

/** Sets of one to four pairs; of every second set the first pair is an edge. */
function changesOf(side: Side, { adjacency, directed }: TrialStack, count: number): EdgeChanges {
  const offsets = [0];
  const pairs: [number, number][] = [];
  for (let t = 0; t < count; t++) {
    const size = 1 + side.rng.integer(4);
    const set = new Map<string, [number, number]>();
    const add = (i: number, j: number) => {
      const pair: [number, number] = directed || i < j ? [i, j] : [j, i];
      if (i !== j) set.set(pair.join(), pair);
    };
    const node = side.rng.integer(NODES);
    if (t % 2 === 0 && adjacency.rowPtr[node] < adjacency.rowPtr[node + 1])
      add(node, adjacency.colIdx[adjacency.rowPtr[node]]);
    while (set.size < size) add(side.rng.integer(NODES), side.rng.integer(NODES));
    pairs.push(...set.values());
    offsets.push(pairs.length);
  }
  return {
    offsets: Int32Array.from(offsets),
    sources: Int32Array.from(pairs, ([i]) => i),
    targets: Int32Array.from(pairs, ([, j]) => j),
  };
}

async function run(side: Side, kind: Kind): Promise<Results> {
  const stack = stackOf(side, kind);
  const changes = changesOf(side, stack, 40);
  const trials = await side.backend.openTrials(stack);
  const results: Results = {};
  const record = (when: string) => {
    const { positive, margin, bounded } = trials.outcomes(changes);
    const margins = trials.margins().map((value, v) => (stack.classes[v] < 0 ? 0 : value));
    for (const [name, array] of Object.entries({ positive, margin, bounded, margins })) {
      results[`${name} ${when}`] = side.floats(array);
    }
  };
  record("at first");
  for (let t = 0; t < 12; t++) trials.keep(changeAt(changes, t));
  record("after twelve changes were kept");
  trials.close();
  return results;
}

function changeAt({ offsets, sources, targets }: EdgeChanges, t: number): Flips {
  return {
    sources: sources.slice(offsets[t], offsets[t + 1]),
    targets: targets.slice(offsets[t], offsets[t + 1]),
  };
}

export function flipTrialsCases(contract: Contract): void {
  contract.kernel("openTrials", ({ same }) => {
    const scale = 10; // differences of sums over all nodes
    const widths = [9, 5];
    same("finds what changes do to a GCN of two layers", (side) => run(side, { widths }), { scale });
    same("to one of three layers", (side) => run(side, { widths: [8, 6, 4] }), { scale });
    same("to one of a single layer", (side) => run(side, { widths: [3] }), { scale });
    same("to a directed graph", (side) => run(side, { widths, directed: true }), { scale });
    same("to a graph normalised by row", (side) => run(side, { widths, normalisation: "row" }), { scale });
    same("to a directed one", (side) => run(side, { widths, directed: true, normalisation: "row" }), { scale });
    same("to margins towards a class", (side) => run(side, { widths, towards: true }), { scale });
    same("to layers without weights", (side) => run(side, { widths: [5, 5], relu: false, unweighted: true }), {
      scale,
    });
  });
}
