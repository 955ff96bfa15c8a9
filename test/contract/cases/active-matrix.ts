import { expect } from "vitest";
import type { Contract, Results } from "../contract.ts";
import type { Side } from "../side.ts";

export function activeMatrixCases(contract: Contract): void {
  contract.kernel("activeMatrix", ({ same }) => {
    for (const directed of [false, true]) {
      const kind = directed ? "directed" : "undirected";
      same(`holds the ${kind} pairs above the floor in sorted rows`, async (side) => ({
        ...(await active(side, "some", 67, directed, 1001, (weight) => weight > 0.7)),
        ...(await active(side, "many", 200, directed, 15_001, () => true)),
        ...(await active(side, "all", 67, directed, 1001, () => true)),
        ...(await active(side, "none", 67, directed, 301, () => false)),
        ...(await active(side, "no pairs", 3, directed, 0, () => true)),
        ...(await active(side, "one pair", 2, directed, 1, () => true)),
      }));
    }
    same("leaves out weights at the floor, however the backend rounds it", (side) => {
      const weights = side.out(30);
      side.backend.fill(weights, 1e-7); // f32 rounds this up
      const matrix = side.backend.activeMatrix(side.pairs(9, false, 30), side.normal(30), weights, 1e-7);
      for (const buffer of [matrix.colIdx, matrix.values!]) side.own(buffer);
      return { rowPtr: side.own(matrix.rowPtr) };
    });
    same("keeps every entry of pairs that come in both directions, twice, or with one end", async (side) => {
      const sources = side.ints([0, 4, 4, 2, 2, 0, 3, 0]);
      const targets = side.ints([4, 0, 1, 2, 2, 4, 3, 1]);
      const pairs = { numNodes: 5, directed: false, length: 8, sources, targets };
      const weights = side.floats([1, 1, 1, 1, 1, 1, 1, 1]);
      const matrix = side.backend.activeMatrix(pairs, side.floats([1, -2, 3, 4, -5, 6, 7, 8]), weights, 0);
      for (const buffer of [matrix.rowPtr, matrix.colIdx, matrix.values!]) side.own(buffer);
      const colIdx = (await side.backend.read(matrix.colIdx)).subarray(0, 16);
      const out = side.out(5 * 5);
      side.backend.spmm(out, matrix, side.floats(Array.from({ length: 25 }, (_, e) => (e % 6 === 0 ? 1 : 0))), 5);
      return { rowPtr: matrix.rowPtr, colIdx: side.ints(colIdx), out };
    });
    same("can be multiplied with", (side) => {
      const pairs = side.pairs(67, false, 301);
      const matrix = side.backend.activeMatrix(pairs, side.uniform(301, -1, 1), side.uniform(301, 0, 1), 0.5);
      for (const buffer of [matrix.rowPtr, matrix.colIdx, matrix.values!]) side.own(buffer);
      const out = side.normal(67 * 5);
      side.backend.spmm(out, matrix, side.normal(67 * 5), 5, true);
      return { out };
    });
  });
}

/** The matrix of a random block; its buffers are cut to the entries they hold, as they may be longer. */
async function active(
  side: Side,
  name: string,
  numNodes: number,
  directed: boolean,
  length: number,
  isActive: (weight: number) => boolean,
): Promise<Results> {
  const pairs = side.pairs(numNodes, directed, length);
  const signs = side.floats(Array.from({ length }, () => (side.rng.integer(2) === 0 ? -1 : 1)));
  const weights = Array.from({ length }, () => side.rng.uniform()).map((w) => (isActive(w) ? w : 2 ** -20));
  const matrix = side.backend.activeMatrix(pairs, signs, side.floats(weights), 2 ** -20);
  expect([matrix.numRows, matrix.numCols]).toEqual([numNodes, numNodes]);
  const rowPtr = (await side.backend.read(side.own(matrix.rowPtr))) as Int32Array;
  const colIdx = (await side.backend.read(side.own(matrix.colIdx))).subarray(0, rowPtr[numNodes]);
  const values = (await side.backend.read(side.own(matrix.values!))).subarray(0, rowPtr[numNodes]);
  return {
    [`${name} rowPtr`]: matrix.rowPtr,
    [`${name} colIdx`]: side.ints(colIdx),
    [`${name} values`]: side.floats(values),
  };
}
