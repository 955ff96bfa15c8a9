import type { Contract, Results } from "../contract.ts";

const COLS = [1, 3, 4, 33, 130];

export function indexedRowsCases(contract: Contract): void {
  contract.kernel("argmaxRows", ({ same }) => {
    same("finds the largest entry of each row, and passes over an excluded column", (side) => {
      const results: Results = {};
      for (const cols of COLS) {
        const X = side.normal(67 * cols);
        const all = side.out(67, "i32");
        const others = side.out(67, "i32");
        side.backend.argmaxRows(all, X, 67, cols);
        side.backend.argmaxRows(others, X, 67, cols, side.indices(67, cols));
        Object.assign(results, { [`all ${cols}`]: all, [`others ${cols}`]: others });
      }
      return results;
    });
    same("takes the first column on ties", (side) => {
      const X = side.floats(Array.from({ length: 50 * 9 }, () => side.rng.integer(3))); // three values: ties in every row
      const out = side.out(50, "i32");
      const rest = side.out(50, "i32");
      side.backend.argmaxRows(out, X, 50, 9);
      side.backend.argmaxRows(rest, X, 50, 9, out);
      return { out, rest };
    });
    same("finds the largest of negative and infinite values", (side) => {
      const out = side.out(3, "i32");
      const low = Number.NEGATIVE_INFINITY;
      const high = Number.POSITIVE_INFINITY;
      side.backend.argmaxRows(out, side.floats([low, -5, -4, low, low, low, 1e38, high, 3]), 3, 3);
      return { out };
    });
  });
  contract.kernel("margins", ({ same }) => {
    same("compares an entry of each row with the largest other, the first on ties, and goes back to both", (side) => {
      const results: Results = {};
      for (const cols of COLS.slice(1)) {
        const ties = side.floats(Array.from({ length: 67 * cols }, () => side.rng.integer(3)));
        for (const [name, X] of Object.entries({ normal: side.normal(67 * cols), ties })) {
          const out = side.out(67);
          const rivals = side.out(67, "i32");
          const column = side.indices(67, cols);
          side.backend.margins(out, rivals, X, column, cols);
          const dX = side.out(67 * cols);
          side.backend.marginsGrad(dX, side.normal(67), column, rivals, cols);
          Object.assign(results, { [`${name} ${cols}`]: out, [`rivals ${name} ${cols}`]: rivals });
          results[`dX ${name} ${cols}`] = dX;
        }
      }
      return results;
    });
  });
  contract.kernel("tanhMargins", ({ same }) => {
    same("adds up the tanh of margins, and goes back to both entries of each row", (side) => {
      const results: Results = {};
      for (const cols of COLS.slice(1)) {
        for (const rows of [1, 67, 700]) {
          const X = side.normal(rows * cols, 5);
          const column = side.indices(rows, cols);
          const out = side.out(1);
          const correct = side.out(1);
          const dX = side.out(rows * cols);
          const made = { tanhs: side.out(rows), rivals: side.out(rows, "i32") };
          side.backend.tanhMargins({ out, correct, saved: made, X, column, cols, factor: -1 / rows });
          // not the tanhs just computed: their rounding would be magnified where the slope cancels
          const known = { ...made, tanhs: side.uniform(rows, -0.9, 0.9) };
          side.backend.tanhMarginsGrad({ dX, d: side.normal(1), saved: known, column, cols, factor: -1 / rows });
          Object.assign(results, { [`out ${rows}x${cols}`]: out, [`dX ${rows}x${cols}`]: dX });
          Object.assign(results, { [`correct ${rows}x${cols}`]: correct });
          Object.assign(results, { [`tanhs ${rows}x${cols}`]: made.tanhs, [`rivals ${rows}x${cols}`]: made.rivals });
        }
      }
      return results;
    });
  });
  contract.kernel("tanhMargins", ({ same }) => {
    same("counts rows whose column is the first of the largest", (side) => {
      const X = side.floats([1, 1, 0, 0, 1, 1, 2, 2, 2, 0, 0, 3]);
      const out = side.out(1);
      const correct = side.out(1);
      const made = { tanhs: side.out(4), rivals: side.out(4, "i32") };
      side.backend.tanhMargins({ out, correct, saved: made, X, column: side.ints([0, 2, 1, 2]), cols: 3, factor: 1 });
      return { out, correct, rivals: made.rivals };
    });
  });
  contract.kernel("gatherRows", ({ same }) => {
    same("copies rows in any order and more than once", (side) => {
      const results: Results = {};
      for (const cols of COLS) {
        for (const length of [0, 1, 90]) {
          const out = (results[`${length}x${cols}`] = side.out(length * cols));
          side.backend.gatherRows(out, side.normal(21 * cols), side.indices(length, 21), cols);
        }
      }
      return results;
    });
    same("copies integers too", (side) => {
      const one = side.out(67, "i32");
      const rows = side.out(67 * 3, "i32");
      side.backend.gatherRows(one, side.indices(21, 2 ** 31), side.indices(67, 21), 1);
      side.backend.gatherRows(rows, side.indices(21 * 3, 2 ** 31), side.indices(67, 21), 3);
      return { one, rows };
    });
  });
  contract.kernel("scatterAddRows", ({ same }) => {
    same("adds rows to the rows they belong to, repeated ones too", (side) => {
      const results: Results = {};
      for (const cols of COLS) {
        for (const length of [0, 1, 90]) {
          const out = (results[`${length}x${cols}`] = side.normal(21 * cols));
          side.backend.scatterAddRows(out, side.normal(length * cols), side.indices(length, 21), 21, cols);
        }
      }
      return results;
    });
    same("adds many rows to one", (side) => {
      const out = side.normal(3 * 5);
      side.backend.scatterAddRows(out, side.normal(3001 * 5), side.ints(new Int32Array(3001).fill(1)), 3, 5);
      return { out };
    });
  });
  contract.kernel("groupIndices", ({ same }) => {
    same("lists the places of each index in order", (side) => {
      const results: Results = {};
      for (const [length, rows] of [
        [0, 3],
        [1, 1],
        [5000, 70],
        [90, 5000],
      ] as const) {
        const rowPtr = side.out(rows + 1, "i32");
        const order = side.out(length, "i32");
        side.backend.groupIndices(rowPtr, order, side.indices(length, rows));
        Object.assign(results, { [`rowPtr ${length}`]: rowPtr, [`order ${length}`]: order });
      }
      return results;
    });
  });
  contract.kernel("pick", ({ same }) => {
    same("takes one entry per row and gives its gradient back", (side) => {
      const results: Results = {};
      for (const cols of COLS) {
        for (const length of [0, 1, 67]) {
          const column = side.indices(length, cols);
          const picked = side.out(length);
          const dX = side.normal(length * cols);
          side.backend.pick(picked, side.normal(length * cols), column, cols);
          side.backend.pickGrad(dX, side.normal(length), column, cols);
          Object.assign(results, { [`picked ${length}x${cols}`]: picked, [`dX ${length}x${cols}`]: dX });
        }
      }
      return results;
    });
  });
}
