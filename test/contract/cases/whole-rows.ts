import { expect } from "vitest";
import type { Contract, Results } from "../contract.ts";

export function wholeRowsCases(contract: Contract): void {
  contract.kernel("transpose", ({ same, holds }) => {
    same("turns rows into columns for any shape", (side) => {
      const results: Results = {};
      for (const [rows, cols] of [
        [0, 3],
        [1, 1],
        [5, 1],
        [3, 67],
        [130, 35],
      ] as const) {
        const out = (results[`${rows} × ${cols}`] = side.out(rows * cols));
        side.backend.transpose(out, side.normal(rows * cols), rows, cols);
      }
      return results;
    });
    holds("says which argument is too short", (side) => {
      expect(() => side.backend.transpose(side.out(5), side.normal(6), 2, 3)).toThrow(/transpose: out .* 6 .* 5/);
    });
  });
  contract.kernel("topKRows", ({ same, holds }) => {
    same("keeps from one to all entries of each row", (side) => {
      const results: Results = {};
      for (const [rows, cols, k] of [
        [0, 4, 2],
        [3, 4, 0],
        [1, 1, 1],
        [7, 33, 1],
        [7, 33, 33],
        [130, 301, 64],
      ] as const) {
        const columns = side.out(rows * k, "i32");
        const values = side.out(rows * k);
        side.backend.topKRows({ columns, values, X: side.normal(rows * cols), rows, cols, k });
        Object.assign(results, {
          [`columns ${rows}, ${cols}, ${k}`]: columns,
          [`values ${rows}, ${cols}, ${k}`]: values,
        });
      }
      return results;
    });
    same("keeps the lower column on ties", (side) => {
      const columns = side.out(50 * 9, "i32");
      const values = side.out(50 * 9);
      const X = side.floats(Array.from({ length: 50 * 40 }, () => side.rng.integer(4) - 1));
      side.backend.topKRows({ columns, values, X, rows: 50, cols: 40, k: 9 });
      return { columns, values };
    });
    same("keeps the lower column on ties of long rows, of negative numbers and of rows without differences", (side) => {
      const columns = side.out(60 * 6, "i32");
      const values = side.out(60 * 6);
      const X = side.floats(
        Array.from({ length: 60 * 203 }, (_, e) => (e < 20 * 203 ? 0 : -1 - side.rng.integer(e < 40 * 203 ? 2 : 90))),
      );
      side.backend.topKRows({ columns, values, X, rows: 60, cols: 203, k: 6 });
      return { columns, values };
    });
    holds("refuses more entries than there are columns", (side) => {
      const run = () =>
        side.backend.topKRows({
          columns: side.out(8, "i32"),
          values: side.out(8),
          X: side.normal(6),
          rows: 2,
          cols: 3,
          k: 4,
        });
      expect(run).toThrow("topKRows: 4 of 3 columns asked for");
    });
  });
}
