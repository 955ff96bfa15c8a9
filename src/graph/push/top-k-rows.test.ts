import { describe, expect, test } from "vitest";
import { checkCsr } from "../csr.ts";
import { stackRows, topKRow } from "./top-k-rows.ts";

/** Rows of the published unit test for weighted medoids. */
const rows = [
  [0.5, 0.3, 0, 0.4],
  [0.3, 0.2, 0, 0],
  [0, 0, 0.9, 0.3],
  [0.4, 0, 0.4, 0.4],
].map((values) => ({ columns: [0, 1, 2, 3], values }));

describe("topKRow", () => {
  test("keeps the two largest entries of the published rows, by column", () => {
    expect(rows.map((row) => topKRow(row, 2).columns)).toEqual([
      [0, 3],
      [0, 1],
      [2, 3],
      [0, 2],
    ]);
  });
  test("keeps everything where there are fewer entries, and sorts it", () => {
    expect(topKRow({ columns: [9, 2], values: [1, 2] }, 5)).toEqual({ columns: [2, 9], values: [2, 1] });
  });
  test("keeps the lower column on ties whatever the order of the entries", () => {
    expect(topKRow({ columns: [9, 2, 4], values: [1, 1, 1] }, 2).columns).toEqual([2, 4]);
  });
});

describe("stackRows", () => {
  test("makes one matrix of rows of any length", () => {
    const A = stackRows(
      [
        { columns: [], values: [] },
        { columns: [1, 2], values: [0.5, 0.25] },
      ],
      3,
    );
    checkCsr(A, "A");
    expect(A).toMatchObject({ numRows: 2, numCols: 3, rowPtr: Int32Array.of(0, 0, 2) });
    expect([...A.values!]).toEqual([0.5, 0.25]);
  });
});
