import { describe, expect, test } from "vitest";
import { randomGraph } from "../../test/support/any-graph.ts";
import { denseOf } from "../../test/support/dense.ts";
import { OneMoreChange } from "./one-more-change.ts";
import { pushRows } from "./push-rows.ts";
import { updatePageRank } from "./row-update.ts";
import { RowsOnDemand } from "./rows-on-demand.ts";

const options = { alpha: 0.2, epsilon: 1e-5, k: 40 };

async function rowsOfRandomGraph() {
  const { adjacency } = randomGraph(40, 0.1, 1);
  const rows = new RowsOnDemand((nodes) => pushRows(adjacency, nodes, options), options);
  await rows.require(Array.from({ length: 40 }, (_, v) => v));
  const neighbours = adjacency.colIdx.subarray(adjacency.rowPtr[0], adjacency.rowPtr[1]);
  return { adjacency, rows, neighbours };
}

describe("OneMoreChange", () => {
  test("is the update for each candidate alone, on top of the changes that are there", async () => {
    const { rows, neighbours } = await rowsOfRandomGraph();
    const others = Array.from({ length: 39 }, (_, t) => t + 1).filter((v) => v !== 5 && v !== neighbours[0]);
    const change = { nodes: [5, neighbours[0]], deltas: [0.75, -0.5] };
    const deltas = others.map((v) => (neighbours.includes(v) ? -1 : 1));
    const actual = denseOf(
      new OneMoreChange(rows, { node: 0, neighbours, change }).rowsAfter({ nodes: others, deltas }),
    );
    for (const [t, other] of others.entries()) {
      const both = { nodes: [...change.nodes, other], deltas: [...change.deltas, deltas[t]] };
      const { values } = updatePageRank(rows, 0, neighbours, both);
      for (const [slot, value] of values.entries()) expect(actual[t][slot]).toBeCloseTo(value, 6);
    }
  });

  test("leaves a node that loses its last neighbour the restart probability", async () => {
    const { rows, neighbours } = await rowsOfRandomGraph();
    const change = { nodes: neighbours.slice(1), deltas: neighbours.slice(1).map(() => -1) };
    const after = new OneMoreChange(rows, { node: 0, neighbours, change }).rowsAfter({
      nodes: [neighbours[0]],
      deltas: [-1],
    });
    const [row] = denseOf(after);
    const own = rows.slotOf(0);
    expect(row[own]).toBeCloseTo(0.2, 3);
    for (const [slot, value] of row.entries()) if (slot !== own) expect(value).toBeCloseTo(0, 3);
  });
});
