import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyGraph, entryNames } from "../../test/support/any-graph.ts";
import {
  type Csr,
  checkCsr,
  csrFromEntries,
  findEntry,
  hasEntry,
  isSymmetric,
  mergeDuplicates,
  transpose,
} from "./csr.ts";

const entries = fc.array(fc.tuple(fc.nat(4), fc.nat(6)), { maxLength: 30 });

describe("csrFromEntries", () => {
  test("sorts entries into rows with ascending columns", () => {
    const A = csrFromEntries(3, 3, [2, 0, 2], [1, 2, 0], [10, 20, 30]);
    expect(A).toEqual({
      numRows: 3,
      numCols: 3,
      rowPtr: Int32Array.of(0, 1, 1, 3),
      colIdx: Int32Array.of(2, 0, 1),
      values: Float32Array.of(20, 30, 10),
    });
  });
  test("adds up the values of an entry given twice and keeps an unweighted one once", () => {
    expect(csrFromEntries(1, 3, [0, 0, 0], [1, 0, 1], [1, 5, 2]).values).toEqual(Float32Array.of(5, 3));
    expect(csrFromEntries(1, 3, [0, 0, 0], [1, 0, 1]).colIdx).toEqual(Int32Array.of(0, 1));
  });
  test("stores exactly the given set of entries, in a valid form, for any list", () => {
    fc.assert(
      fc.property(entries, (list) => {
        const A = csrFromEntries(
          5,
          7,
          list.map(([i]) => i),
          list.map(([, j]) => j),
        );
        checkCsr(A, "A");
        expect(entryNames(A)).toEqual([...new Set(list.map(([i, j]) => `${i},${j}`))].sort());
      }),
    );
  });
  test("names the first index out of range", () => {
    expect(() => csrFromEntries(2, 2, [0, 1], [0, 2])).toThrow("column 2 of entry 1 must be in 0 … 1");
    expect(() => csrFromEntries(2, 2, [-1], [0])).toThrow("row -1 of entry 0 must be in 0 … 1");
    expect(() => csrFromEntries(2, 2, [0], [])).toThrow("1 rows for 0 columns");
  });
});

describe("mergeDuplicates", () => {
  test("returns the matrix itself where nothing repeats", () => {
    const A = csrFromEntries(2, 2, [0, 1], [1, 1]);
    expect(mergeDuplicates(A)).toBe(A);
  });
});

describe("findEntry", () => {
  test("finds the position of each stored entry and -1 for any other pair", () => {
    fc.assert(
      fc.property(anyGraph, ({ adjacency: A }) => {
        const stored = new Set(entryNames(A));
        for (let i = 0; i < A.numRows; i++) {
          for (let j = 0; j < A.numCols; j++) {
            expect(hasEntry(A, i, j)).toBe(stored.has(`${i},${j}`));
            if (hasEntry(A, i, j)) expect(A.colIdx[findEntry(A, i, j)]).toBe(j);
          }
        }
      }),
    );
  });
});

describe("transpose", () => {
  test("moves entry (i, j) with its value to (j, i)", () => {
    const B = transpose(csrFromEntries(2, 3, [0, 0, 1], [0, 2, 2], [1, 2, 3]));
    expect(B).toEqual(csrFromEntries(3, 2, [0, 2, 2], [0, 0, 1], [1, 2, 3]));
  });
  test("twice gives back any matrix", () => {
    fc.assert(
      fc.property(anyGraph, ({ adjacency: A }) => {
        expect(transpose(transpose(A))).toEqual(A);
      }),
    );
  });
});

describe("isSymmetric", () => {
  test("holds exactly where a matrix equals its transpose", () => {
    fc.assert(
      fc.property(anyGraph, ({ adjacency: A }) => {
        expect(isSymmetric(A)).toBe(entryNames(A).join() === entryNames(transpose(A)).join());
      }),
    );
  });
  test("is false for a matrix that is not square", () => {
    expect(isSymmetric(csrFromEntries(2, 3, [], []))).toBe(false);
  });
});

describe("checkCsr", () => {
  const good: Csr = csrFromEntries(2, 3, [0, 0, 1], [0, 2, 1], [1, 2, 3]);
  const cases: [string, Partial<Csr>, string][] = [
    ["too few row pointers", { rowPtr: Int32Array.of(0, 3) }, "row pointers must have length 3, got 2"],
    ["a first row pointer other than 0", { rowPtr: Int32Array.of(1, 2, 3) }, "must start at 0, got 1"],
    ["a last row pointer beyond the entries", { rowPtr: Int32Array.of(0, 2, 4) }, "end at 4, but there are 3 entries"],
    ["a row pointer beyond the entries", { rowPtr: Int32Array.of(0, 4, 3) }, "row pointer 4 of row 0 is beyond"],
    ["row pointers that decrease", { rowPtr: Int32Array.of(0, -1, 3) }, "must not decrease, got 0 then -1 at row 0"],
    ["a negative column", { colIdx: Int32Array.of(-1, 2, 1) }, "column -1 in row 0 must be in 0 … 2"],
    ["a column beyond the last", { colIdx: Int32Array.of(0, 3, 1) }, "column 3 in row 0 must be in 0 … 2"],
    ["unsorted columns", { colIdx: Int32Array.of(2, 0, 1) }, "columns of row 0 must ascend, got 2 then 0"],
    ["repeated columns", { colIdx: Int32Array.of(2, 2, 1) }, "columns of row 0 must ascend, got 2 then 2"],
    ["values of another length", { values: Float32Array.of(1) }, "1 values for 3 entries"],
  ];
  test.each(cases)("refuses %s and names the place", (_, broken, message) => {
    expect(() => checkCsr(good, "file")).not.toThrow();
    expect(() => checkCsr({ ...good, ...broken }, "file")).toThrow(`file: `);
    expect(() => checkCsr({ ...good, ...broken }, "file")).toThrow(message);
  });
});
