import { expect } from "vitest";
import type { LocalPageRankOptions } from "../../../src/backend/backend.ts";
import type { Contract, Results } from "../contract.ts";
import type { Side } from "../side.ts";

const NODES = 70;

/** A symmetric weighted graph with self loops as a sum of two, the second of which takes from the first. */
function weightedGraph(side: Side) {
  const rows = Array.from({ length: NODES }, (_, i) => new Map([[i, 1]]));
  const extra = rows.map(() => new Map<number, number>());
  const join = (of: Map<number, number>[], i: number, j: number, value: number) => {
    of[i].set(j, value);
    of[j].set(i, value);
  };
  for (let i = 1; i < NODES; i++) join(rows, i, side.rng.integer(i), 1);
  for (let t = 0; t < 60; t++) {
    const i = side.rng.integer(NODES);
    const j = side.rng.integer(NODES);
    if (i !== j) join(extra, i, j, (rows[i].has(j) ? -1 : 1) * Math.fround(0.1 + 0.8 * side.rng.uniform()));
  }
  const parts = [rows, extra].map((of) => {
    const sorted = of.map((row) => [...row].sort(([a], [b]) => a - b));
    const rowPtr = [0];
    for (const row of sorted) rowPtr.push(rowPtr.at(-1)! + row.length);
    const [columns, values] = [0, 1].map((part) => sorted.flat().map((entry) => entry[part]));
    const colIdx = side.ints(columns!);
    const weights = side.floats(values!);
    return { numRows: NODES, numCols: NODES, rowPtr: side.ints(rowPtr), colIdx, values: weights };
  });
  const degrees = side.out(NODES);
  for (const [p, part] of parts.entries()) side.backend.rowSums(degrees, part, p > 0);
  return { parts, degrees };
}

function run(side: Side, options: LocalPageRankOptions): Results {
  const { parts, degrees } = weightedGraph(side);
  const rows = {
    columns: side.out(NODES * options.support, "i32"),
    values: side.out(NODES * options.support),
    topColumns: side.out(NODES * options.k, "i32"),
    topValues: side.out(NODES * options.k),
  };
  side.backend.localPageRank(rows, parts, degrees, options);
  return rows;
}

export function localPageRankCases(contract: Contract): void {
  contract.kernel("localPageRank", ({ same, holds }) => {
    const options = { alpha: 0.15, epsilon: 1e-3, support: 40, k: 9, rank: "walk" } as const;
    same("finds the rows of PageRank that push finds on a weighted graph", (side) => run(side, options));
    same("chooses by the symmetric version", (side) => run(side, { ...options, rank: "symmetric" }));
    same("fills up short rows with nothing", (side) => run(side, { ...options, epsilon: 0.05 }));
    same("keeps all nodes of a row", (side) => run(side, { ...options, support: NODES, k: NODES }));
    holds("approaches rows that sum to 1, weighed by the roots of the degrees", async (side) => {
      const { parts, degrees } = weightedGraph(side);
      const rows = { columns: side.out(NODES * NODES, "i32"), values: side.out(NODES * NODES) };
      const top = { topColumns: side.out(NODES, "i32"), topValues: side.out(NODES) };
      const exact = { ...options, epsilon: 1e-6, support: NODES, k: 1 };
      side.backend.localPageRank({ ...rows, ...top }, parts, degrees, exact);
      const [columns, values, deg] = await Promise.all(
        [rows.columns, rows.values, degrees].map((buffer) => side.backend.read(buffer)),
      );
      for (let u = 0; u < NODES; u++) {
        let total = 0;
        for (let e = u * NODES; e < (u + 1) * NODES; e++) total += values![e] * Math.sqrt(deg![columns![e]] / deg![u]);
        expect(total).toBeCloseTo(1, 3);
      }
    });
  });
  contract.kernel("sandwich", ({ same }) => {
    same(
      "multiplies from both sides for any pairs, and on the diagonal",
      (side) => {
        const lengths = Array.from({ length: 40 }, (_, i) => (i * 7) % 23);
        const P = side.csr(40, lengths);
        const K = side.csr(40, lengths.toReversed());
        const pairs = side.pairs(40, false, 300);
        const out = side.out(300);
        const diagonal = side.out(40);
        side.backend.sandwich(out, diagonal, pairs, P, K);
        const none = side.pairs(40, false, 0);
        const alone = side.out(40);
        side.backend.sandwich(side.out(0), alone, none, P, K);
        return { out, diagonal, alone };
      },
      { scale: 20 },
    );
  });
}
