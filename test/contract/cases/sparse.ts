import type { CsrBuffers } from "../../../src/backend/backend.ts";
import type { Contract, Results } from "../contract.ts";
import type { Side } from "../side.ts";

const COLS = [1, 3, 4, 16, 33, 130];

const LONG = 2000;

/** Matrices that are awkward to split over threads or lanes. */
const MATRICES: Record<string, (side: Side, valued: boolean) => CsrBuffers> = {
  "rows of any length": (side, valued) =>
    side.csr(
      67,
      Array.from({ length: 67 }, (_, i) => (i * 5) % 13),
      valued,
    ),
  "empty rows at both ends": (side, valued) => side.csr(9, [0, 0, 3, 0, 9, 1, 0], valued),
  "one very long row": (side, valued) => side.csr(LONG, [2, LONG, 0, 1], valued),
  "no entries": (side, valued) => side.csr(5, [0, 0, 0], valued),
  "no rows": (side, valued) => side.csr(5, [], valued),
  "one row": (side, valued) => side.csr(4, [3], valued),
};

/** The size of a sum over a long row on its way, even where it ends near zero: plain f32 sums are precise to that. */
const scaleOf = (name: string) => ({ scale: name === "one very long row" ? Math.sqrt(LONG) : 0 });

export function sparseCases(contract: Contract): void {
  contract.kernel("spmm", ({ same }) => {
    for (const [name, make] of Object.entries(MATRICES)) {
      const multiply = (side: Side) => {
        const results: Results = {};
        for (const cols of COLS) {
          for (const valued of [true, false]) {
            const S = make(side, valued);
            const X = side.normal(S.numCols * cols);
            const out = side.out(S.numRows * cols);
            const sum = side.normal(S.numRows * cols);
            side.backend.spmm(out, S, X, cols);
            side.backend.spmm(sum, S, X, cols, true);
            Object.assign(results, { [`out ${cols} ${valued}`]: out, [`sum ${cols} ${valued}`]: sum });
          }
        }
        return results;
      };
      same(`multiplies by a matrix with ${name}, with and without values`, multiply, scaleOf(name));
    }
    same("multiplies many columns by a matrix with many entries for each of their rows", (side) => {
      const results: Results = {};
      for (const valued of [true, false]) {
        const S = side.csr(
          40,
          Array.from({ length: 50 }, (_, i) => (i === 7 ? 0 : 30 + (i % 11))),
          valued,
        );
        const X = side.normal(40 * 515);
        const out = side.out(50 * 515);
        const sum = side.normal(50 * 515);
        side.backend.spmm(out, S, X, 515);
        side.backend.spmm(sum, S, X, 515, true);
        Object.assign(results, { [`out ${valued}`]: out, [`sum ${valued}`]: sum });
      }
      return results;
    });
    same("reads no further than the entries that the row pointers name", (side) => {
      const rowPtr = side.ints([0, 1, 2]);
      const colIdx = side.ints([1, 0, -9, 77]);
      const out = side.out(6);
      side.backend.spmm(out, { numRows: 2, numCols: 2, rowPtr, colIdx, values: null }, side.normal(6), 3);
      return { out };
    });
  });
  contract.kernel("spmmTransposed", ({ same }) => {
    for (const [name, make] of Object.entries(MATRICES)) {
      const multiply = (side: Side) => {
        const results: Results = {};
        for (const cols of COLS) {
          const S = make(side, cols % 2 === 0);
          const out = (results[`out ${cols}`] = side.out(S.numRows * cols));
          side.backend.spmmTransposed(out, S, side.normal(S.numCols * cols), cols);
        }
        return results;
      };
      same(`multiplies by a matrix with ${name} and turns the result`, multiply, scaleOf(name));
    }
  });
  contract.kernel("rowSums", ({ same }) => {
    for (const [name, make] of Object.entries(MATRICES)) {
      const sums = (side: Side) => {
        const results: Results = {};
        for (const valued of [true, false]) {
          const S = make(side, valued);
          const out = side.out(S.numRows);
          const sum = side.normal(S.numRows);
          side.backend.rowSums(out, S);
          side.backend.rowSums(sum, S, true);
          Object.assign(results, { [`out ${valued}`]: out, [`sum ${valued}`]: sum });
        }
        return results;
      };
      same(`adds up or counts the entries of a matrix with ${name}`, sums, scaleOf(name));
    }
  });
  contract.kernel("degreeScale", ({ same }) => {
    same("inverts degrees with self loops, of edges alone or with weighted ones", (side) => {
      const results: Results = {};
      const lengths = (step: number) => Array.from({ length: 61 }, (_, i) => (i * step) % 7);
      for (const entries of [0, 1, 60]) {
        const A = side.csr(61, lengths(entries), false);
        const B = { ...side.csr(61, lengths(3)), values: side.uniform(61 * 7, -0.1, 1) };
        for (const f of ["rsqrt", "reciprocal"] as const) {
          for (const graph of [
            { A, B },
            { A, B: null },
          ]) {
            const out = side.out(61);
            side.backend.degreeScale(out, graph, f);
            results[`${f} ${entries} ${graph.B !== null}`] = out;
          }
        }
      }
      return results;
    });
  });
  contract.kernel("edgeSoftmax", ({ same }) => {
    for (const [name, make] of Object.entries(MATRICES)) {
      same(`has the values and the gradient of the reference on a matrix with ${name}`, (side) => {
        const S = make(side, false);
        const entries = S.colIdx.length;
        const y = side.out(entries);
        const dx = side.out(entries);
        side.backend.edgeSoftmax(y, S, side.normal(entries, 3));
        // not the y just computed: its rounding would be magnified where the gradient cancels
        side.backend.edgeSoftmaxGrad(dx, S, side.normal(entries), side.uniform(entries, 0, 1));
        return { y, dx };
      });
    }
    same("does not overflow", (side) => {
      const out = side.out(4);
      side.backend.edgeSoftmax(out, side.csr(3, [3, 0, 1]), side.floats([1000, 999, -1000, -1e30]));
      return { out };
    });
  });
}
