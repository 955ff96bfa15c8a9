import type { Backend, Buffer, CopyEach, ProductEachSize, SideBySide } from "../backend.ts";
import { borrow } from "./borrow.ts";

/** The kernels for models side by side: the device's own, or those composed of others. */
export function sideBySide(backend: Backend): SideBySide {
  return backend.sideBySide ?? composedSideBySide(backend);
}

/** A launch per model for dropout, products with matrices that are mostly zeros, and several passes over memory for copies. */
export function composedSideBySide(parts: Backend): SideBySide {
  return {
    dropoutEach: dropoutEach(parts),
    productEach: productEach(parts),
    productEachGrad: productEachGrad(parts),
    improveEach: improveEach(parts),
    copyEachIf: copyEachIf(parts),
  };
}

/** Draws what each model keeps as that model alone would, and then puts these factors side by side. */
function dropoutEach(parts: Backend): SideBySide["dropoutEach"] {
  return ({ out, X, rows, width, rate, keys: { keys }, relu }) => {
    const padded = 64 * Math.ceil(rows / 64); // views begin at multiples of 64
    const models = keys.length;
    const index = parts.upload(placesSideBySide(rows, padded, models));
    borrow(parts, "f32", models * padded * width, (alone) => {
      parts.fill(alone, 1);
      for (const [g, key] of keys.entries()) {
        const factors = parts.view(alone, g * padded * width, rows * width);
        parts.dropout(factors, factors, rate, key);
      }
      borrow(parts, "f32", rows * models * width, (factors) => {
        parts.gatherRows(factors, alone, index, width);
        if (relu) parts.unary("relu", out, X);
        parts.binary("mul", out, relu ? out : X, factors);
      });
    });
    parts.free(index);
  };
}

/** Where row i of model g stands if models come one after the other, in the order in which they stand side by side. */
function placesSideBySide(rows: number, padded: number, models: number): Int32Array {
  return Int32Array.from({ length: rows * models }, (_, t) => (t % models) * padded + Math.floor(t / models));
}

/** One product with a matrix that has the matrices of the models as diagonal blocks. */
function productEach(parts: Backend): SideBySide["productEach"] {
  return (out, A, B, { models, rows, n, k, transB = false }) => {
    const blockRows = models * (transB ? n : k);
    const width = transB ? k : n;
    borrow(parts, "f32", blockRows * models * width, (diagonal) => {
      const places = parts.upload(diagonalPlaces(models, blockRows));
      parts.fill(diagonal, 0);
      parts.scatterAddRows(diagonal, B, places, blockRows * models, width);
      parts.free(places);
      parts.matmul(out, A, diagonal, { m: rows, n: models * n, k: models * k, transB });
    });
  };
}

/** The diagonal blocks of the product of all columns with all columns. */
function productEachGrad(parts: Backend): SideBySide["productEachGrad"] {
  return (dB, A, dY, { models, rows, n, k }: ProductEachSize) => {
    borrow(parts, "f32", models * k * models * n, (all) => {
      const places = parts.upload(diagonalPlaces(models, models * k));
      parts.matmul(all, A, dY, { m: models * k, n: models * n, k: rows, transA: true });
      parts.gatherRows(dB, all, places, n);
      parts.free(places);
    });
  };
}

/** Where the rows of blocks go in a matrix [rows, models·width] with these on its diagonal, counted in rows of one block. */
function diagonalPlaces(models: number, rows: number): Int32Array {
  return Int32Array.from({ length: rows }, (_, row) => row * models + Math.floor((row * models) / rows));
}

/** With 0 and 1 as factors: `best` is finite, so that 0 · best is 0. */
function improveEach(parts: Backend): SideBySide["improveEach"] {
  return ({ chosen, best, score, learning, models }) => {
    borrow(parts, "f32", models, (gain) => {
      const isChosen = parts.view(chosen, 0, models);
      parts.affine({ out: gain, a: 1, A: best, b: -1, B: score });
      parts.unaryGrad("relu", isChosen, learning, gain, gain); // learning where the gain is above 0, else 0
      borrow(parts, "f32", models, (scale) => {
        const lowest = parts.view(best, 0, models);
        parts.affine({ out: scale, a: -1, A: isChosen, c: 1 });
        parts.binary("mul", lowest, lowest, scale);
        parts.binary("mul", gain, score, isChosen);
        parts.binary("add", lowest, lowest, gain);
      });
    });
  };
}

function copyEachIf(parts: Backend): SideBySide["copyEachIf"] {
  return (copies, chosen, models) => {
    for (const copy of copies) copyColumns(parts, copy, chosen, models);
  };
}

/** to = (1 − chosen)·to + chosen·from, column by column. */
function copyColumns(parts: Backend, { to, from, width }: CopyEach, chosen: Buffer, models: number): void {
  const cols = models * width;
  const rows = to.length / cols;
  borrow(parts, "f32", cols, (scale) => {
    parts.fill(scale, 1);
    parts.scaleRows({ out: scale, X: scale, scale: chosen, rows: models, cols: width });
    borrow(parts, "f32", to.length, (taken) => {
      parts.affineCols({ out: taken, X: from, scale, shift: null, rows, cols });
      parts.affine({ out: scale, a: -1, A: scale, c: 1 });
      parts.affineCols({ out: to, X: to, scale, shift: null, rows, cols });
      parts.binary("add", to, to, taken);
    });
  });
}
