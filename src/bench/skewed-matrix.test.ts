import { describe, expect, test } from "vitest";
import { entryRows, skewedMatrix } from "./skewed-matrix.ts";

describe("skewedMatrix", () => {
  const A = skewedMatrix(2000, 20_000, 1);
  const lengths = Array.from({ length: 2000 }, (_, i) => A.rowPtr[i + 1] - A.rowPtr[i]);
  test("has the entries asked for, with sorted rows and columns in range", () => {
    expect(A.rowPtr[2000]).toBe(20_000);
    for (let i = 0; i < 2000; i++) {
      const row = [...A.colIdx.subarray(A.rowPtr[i], A.rowPtr[i + 1])];
      expect(row).toEqual(row.toSorted((a, b) => a - b));
      expect(row.every((j) => j >= 0 && j < 2000)).toBe(true);
    }
  });
  test("has rows that are much longer than most", () => {
    const median = lengths.toSorted((a, b) => a - b)[1000];
    expect(Math.max(...lengths)).toBeGreaterThan(20 * median);
  });
  test("names the row of every entry", () => {
    const rows = entryRows(A);
    expect(rows.length).toBe(20_000);
    const counted = new Array<number>(2000).fill(0);
    for (const row of rows) counted[row]++;
    expect(counted).toEqual(lengths);
  });
});
