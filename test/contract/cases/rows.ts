import type { Contract, Results } from "../contract.ts";

const SHAPES: [rows: number, cols: number][] = [
  [0, 5],
  [1, 1],
  [1, 7],
  [5, 1],
  [3, 4],
  [17, 33],
  [130, 65],
  [1003, 3],
];

export function rowCases(contract: Contract): void {
  contract.kernel("scaleRows", ({ same }) => {
    same("scales each row, over, beside or added to the result", (side) => {
      const results: Results = {};
      for (const [rows, cols] of SHAPES) {
        const [X, scale, out, sum] = [rows * cols, rows, rows * cols, rows * cols].map((length) => side.normal(length));
        side.backend.scaleRows({ out: out!, X: X!, scale: scale!, rows, cols });
        side.backend.scaleRows({ out: sum!, X: X!, scale: scale!, rows, cols, accumulate: true });
        side.backend.scaleRows({ out: X!, X: X!, scale: scale!, rows, cols });
        Object.assign(results, {
          [`out ${rows}x${cols}`]: out,
          [`sum ${rows}x${cols}`]: sum,
          [`X ${rows}x${cols}`]: X,
        });
      }
      return results;
    });
    same("ignores what was in the result", (side) => {
      const out = side.out(35);
      side.backend.scaleRows({ out, X: side.normal(35), scale: side.normal(5), rows: 5, cols: 7 });
      return { out };
    });
  });
  contract.kernel("affineCols", ({ same }) => {
    same("scales and shifts each column, or does one of the two", (side) => {
      const results: Results = {};
      for (const [rows, cols] of SHAPES) {
        const X = side.normal(rows * cols);
        const scale = side.normal(cols);
        const shift = side.normal(cols);
        const both = side.out(rows * cols);
        const scaled = side.out(rows * cols);
        const shifted = side.out(rows * cols);
        side.backend.affineCols({ out: both, X, scale, shift, rows, cols });
        side.backend.affineCols({ out: scaled, X, scale, shift: null, rows, cols });
        side.backend.affineCols({ out: shifted, X, scale: null, shift, rows, cols });
        side.backend.affineCols({ out: X, X, scale, shift, rows, cols });
        Object.assign(results, { [`both ${rows}x${cols}`]: both, [`scaled ${rows}x${cols}`]: scaled });
        Object.assign(results, { [`shifted ${rows}x${cols}`]: shifted, [`X ${rows}x${cols}`]: X });
      }
      return results;
    });
  });
  for (const name of ["rowDots", "colDots"] as const) {
    contract.kernel(name, ({ same }) => {
      same("adds up products, or values where B is absent", (side) => {
        const results: Results = {};
        for (const [rows, cols] of SHAPES) {
          const length = name === "rowDots" ? rows : cols;
          const A = side.normal(rows * cols);
          const B = side.normal(rows * cols);
          const dots = side.out(length);
          const sums = side.out(length);
          side.backend[name](dots, A, B, rows, cols);
          side.backend[name](sums, A, null, rows, cols);
          Object.assign(results, { [`dots ${rows}x${cols}`]: dots, [`sums ${rows}x${cols}`]: sums });
        }
        return results;
      });
      same("gives zeros where there is nothing to add", (side) => {
        const out = side.out(4);
        side.backend[name](out, side.out(0), null, name === "rowDots" ? 4 : 0, name === "rowDots" ? 0 : 4);
        return { out };
      });
    });
  }
  batchNormCases(contract);
  for (const name of ["softmaxRows", "logSoftmaxRows"] as const) softmaxCases(contract, name);
}

function batchNormCases(contract: Contract): void {
  contract.kernel("batchNorm", ({ same }) => {
    same("has the values and the gradient of the reference", (side) => {
      const results: Results = {};
      for (const [rows, cols] of SHAPES) {
        const [X, Y, mean, variance] = [side.normal(rows * cols), ...[rows * cols, cols, cols].map((n) => side.out(n))];
        const gamma = side.uniform(cols, 0.5, 2);
        side.backend.batchNorm({
          out: Y!,
          X: X!,
          columns: { mean: mean!, variance: variance!, gamma },
          beta: side.normal(cols),
          epsilon: 0.1,
          rows,
          cols,
        });
        Object.assign(results, { [`Y ${rows}x${cols}`]: Y, [`mean ${rows}x${cols}`]: mean });
        results[`variance ${rows}x${cols}`] = variance!;
        // not the statistics just computed: their rounding would be magnified where the gradient cancels
        const given = { mean: side.normal(cols), variance: side.uniform(cols, 0.5, 2), gamma };
        const dY = side.normal(rows * cols);
        const dX = side.out(rows * cols);
        const dGamma = side.out(cols);
        const dBeta = side.out(cols);
        side.backend.batchNormGrad({
          grads: { dX, dGamma, dBeta },
          dY,
          X: X!,
          columns: given,
          epsilon: 0.1,
          rows,
          cols,
        });
        Object.assign(results, { [`dX ${rows}x${cols}`]: dX, [`dGamma ${rows}x${cols}`]: dGamma });
        results[`dBeta ${rows}x${cols}`] = dBeta;
        const again = side.out(cols);
        const sums = side.out(cols);
        side.backend.batchNormGrad({
          grads: { dX: dY, dGamma: again, dBeta: sums },
          dY,
          X: X!,
          columns: given,
          epsilon: 0.1,
          rows,
          cols,
        });
        results[`dX over dY ${rows}x${cols}`] = dY;
      }
      return results;
    });
    same("keeps the variance of values far from zero, and of a constant column", (side) => {
      const X = side.floats([...Array(2000)].flatMap((_, i) => [1000 + Math.sin(i), 7]));
      const Y = side.out(4000);
      const mean = side.out(2);
      const variance = side.out(2);
      const gamma = side.floats([1, 1]);
      const beta = side.floats([0.5, -2]);
      side.backend.batchNorm({ out: Y, X, columns: { mean, variance, gamma }, beta, epsilon: 0, rows: 2000, cols: 2 });
      return { variance };
    });
  });
}

function softmaxCases(contract: Contract, name: "softmaxRows" | "logSoftmaxRows"): void {
  contract.kernel(name, ({ same }) => {
    same("has the values and the gradient of the reference", (side) => {
      const results: Results = {};
      for (const [rows, cols] of SHAPES) {
        const length = rows * cols;
        const Y = side.out(length);
        const dX = side.out(length);
        side.backend[name](Y, side.normal(length, 3), rows, cols);
        // not the Y just computed: its rounding would be magnified where the gradient cancels
        const anyY = name === "softmaxRows" ? side.uniform(length, 0, 1) : side.uniform(length, -3, 0);
        side.backend[`${name}Grad`](dX, side.normal(length), anyY, rows, cols);
        Object.assign(results, { [`Y ${rows}x${cols}`]: Y, [`dX ${rows}x${cols}`]: dX });
      }
      return results;
    });
    same("does not overflow", (side) => {
      const X = side.floats([1000, 999, -1000, -1e30, -1e30, -1e30, 88, 89, 90]);
      const out = side.out(9);
      side.backend[name](out, X, 3, 3);
      return { out };
    });
  });
}
