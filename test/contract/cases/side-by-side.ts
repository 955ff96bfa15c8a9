import { expect } from "vitest";
import { sideBySide } from "../../../src/backend/compose/side-by-side.ts";
import type { Contract, Results } from "../contract.ts";
import type { Side } from "../side.ts";

const KEYS = [
  { lo: 0x9e3779b9, hi: 0xfffffff0 },
  { lo: 1, hi: 0 },
  { lo: 1, hi: 1 },
];
const MODELS = KEYS.length;

/** The keys of the models, behind two words of others. */
function keysOn(side: Side) {
  return { keys: KEYS, words: side.ints([7, 7, ...KEYS.flatMap(({ lo, hi }) => [lo, hi])]), first: 2 };
}

export function sideBySideCases(contract: Contract): void {
  contract.kernel("dropoutEach", ({ same, holds }) => {
    for (const width of [1, 5, 8, 64]) {
      same(`keeps the very same elements of ${width} columns each, after relu or not, also in place`, (side) => {
        const results: Results = {};
        for (const relu of [true, false]) {
          const rows = 37;
          const X = side.normal(rows * MODELS * width);
          const out = (results[`out, relu ${relu}`] = side.out(rows * MODELS * width));
          const drop = { rows, width, rate: 0.3, keys: keysOn(side), relu };
          sideBySide(side.backend).dropoutEach({ ...drop, out, X });
          sideBySide(side.backend).dropoutEach({ ...drop, out: X, X });
          results[`in place, relu ${relu}`] = X;
        }
        return results;
      });
    }
    holds("keeps for each model what dropout keeps of the model alone", async (side) => {
      const { backend } = side;
      const rows = 21;
      const width = 12;
      const together = side.out(rows * MODELS * width);
      const ones = side.floats(new Float32Array(rows * MODELS * width).fill(1));
      const drop = { rows, width, rate: 0.5, keys: keysOn(side), relu: false };
      sideBySide(backend).dropoutEach({ ...drop, out: together, X: ones });
      const all = await backend.read(together);
      for (const [g, key] of KEYS.entries()) {
        const alone = side.out(rows * width);
        backend.dropout(alone, ones, 0.5, key);
        const own = [...all].filter((_, e) => Math.floor(e / width) % MODELS === g);
        expect(own).toEqual([...(await backend.read(alone))]);
      }
    });
  });
  contract.kernel("spmmEach", ({ same, holds }) => {
    same("multiplies the matrices of all models, of any width", (side) => {
      const results: Results = {};
      for (const width of [1, 7, 12, 64]) {
        const S = side.csr(200, [3, 0, 150, 1, 200]);
        const out = (results[`${width} columns`] = side.out(5 * MODELS * width));
        sideBySide(side.backend).spmmEach(out, S, side.normal(200 * MODELS * width), { models: MODELS, width });
      }
      return results;
    });
    holds("sums up a long row in the order of one model alone", async (side) => {
      const width = 12;
      const S = side.csr(400, [300]);
      const together = side.out(MODELS * width);
      const X = side.normal(400 * MODELS * width);
      sideBySide(side.backend).spmmEach(together, S, X, { models: MODELS, width });
      const own = (values: ArrayLike<number>) =>
        Array.from(values).filter((_, e) => Math.floor(e / width) % MODELS === 1);
      const alone = side.out(width);
      side.backend.spmm(alone, S, side.floats(own(await side.backend.read(X))), width);
      expect(own(await side.backend.read(together))).toEqual([...(await side.backend.read(alone))]);
    });
  });
  contract.kernel("colSumsEach", ({ same }) => {
    same("sums up the columns of all models, of few rows and of many", (side) => {
      const results: Results = {};
      for (const [rows, width] of [
        [1, 1],
        [50, 7],
        [300, 20],
        [130, 64],
      ]) {
        const out = (results[`${rows} × ${width}`] = side.out(MODELS * width));
        const X = side.uniform(rows * MODELS * width, 0, 1);
        sideBySide(side.backend).colSumsEach(out, X, rows, { models: MODELS, width });
      }
      return results;
    });
  });
  contract.kernel("productEach", ({ same, holds }) => {
    same("multiplies the matrices of each model, the second ones transposed or not", (side) => {
      const results: Results = {};
      for (const [rows, n, k] of [
        [1, 1, 1],
        [5, 7, 64],
        [150, 64, 7],
        [9, 3, 130],
      ]) {
        for (const transB of [false, true]) {
          const out = (results[`${rows} × ${n}, k ${k}, transposed ${transB}`] = side.out(rows * MODELS * n));
          const A = side.normal(rows * MODELS * k);
          const B = side.normal(MODELS * k * n);
          sideBySide(side.backend).productEach(out, A, B, { models: MODELS, rows, n, k, transB });
        }
      }
      return results;
    });
    holds("is the product of each model alone", async (side) => {
      const size = { models: 2, rows: 1, n: 2, k: 2 };
      const out = side.out(4);
      const B = side.floats([1, 2, 3, 4, 50, 60, 70, 80]);
      sideBySide(side.backend).productEach(out, side.floats([1, 10, 2, 1]), B, size);
      expect([...(await side.backend.read(out))]).toEqual([31, 42, 170, 200]);
    });
  });
  contract.kernel("productEachGrad", ({ same }) => {
    same("sums products over the rows, of few rows and of many", (side) => {
      const results: Results = {};
      for (const [rows, n, k] of [
        [1, 1, 1],
        [40, 7, 64],
        [700, 3, 5],
      ]) {
        const dB = (results[`${rows} rows, ${k} × ${n}`] = side.out(MODELS * k * n));
        const A = side.normal(rows * MODELS * k);
        const dY = side.normal(rows * MODELS * n);
        sideBySide(side.backend).productEachGrad(dB, A, dY, { models: MODELS, rows, n, k });
      }
      return results;
    });
  });
  contract.kernel("improveEach", ({ same }) => {
    same("takes lower scores of models that still learn", (side) => {
      const chosen = side.out(5);
      const best = side.floats([3.4028234663852886e38, 2, 2, 2, 1]);
      const score = side.floats([1.5, 1.5, 2, 2.5, 0.5, 9]);
      const learning = side.floats([1, 1, 1, 1, 0]);
      sideBySide(side.backend).improveEach({ chosen, best, score, learning, models: 5 });
      return { chosen, best };
    });
  });
  contract.kernel("copyEachIf", ({ same }) => {
    same("takes the columns of the chosen models, of any number of matrices", (side) => {
      const shapes = [
        { rows: 11, width: 8 },
        { rows: 1, width: 7 },
        { rows: 5, width: 1 },
        { rows: 3, width: 64 },
      ];
      const copies = shapes.map(({ rows, width }) => {
        const length = rows * MODELS * width;
        return { to: side.normal(length), from: side.normal(length), width };
      });
      sideBySide(side.backend).copyEachIf(copies, side.floats([1, 0, 1]), MODELS);
      return Object.fromEntries(copies.map(({ to }, i) => [`to ${i}`, to]));
    });
  });
}
