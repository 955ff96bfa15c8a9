import type { Backend, Buffer, CopyEach, SideBySide } from "../backend.ts";
import { borrow } from "./borrow.ts";
import { joinModels, separateModels } from "./models-alone.ts";

/** The kernels for models side by side: the device's own, or those composed of others. */
export function sideBySide(backend: Backend): SideBySide {
  return backend.sideBySide ?? composedSideBySide(backend);
}

/** Runs each model's kernel on a copy of its matrix, which takes extra passes over memory. */
export function composedSideBySide(parts: Backend): SideBySide {
  return {
    dropoutEach: dropoutEach(parts),
    spmmEach: spmmEach(parts),
    colSumsEach: colSumsEach(parts),
    productEach: productEach(parts),
    productEachGrad: productEachGrad(parts),
    improveEach: improveEach(parts),
    copyEachIf: copyEachIf(parts),
  };
}

/** Draws dropout factors for each model as if it were alone, joins them side by side, then multiplies. */
function dropoutEach(parts: Backend): SideBySide["dropoutEach"] {
  return ({ out, X, rows, width, rate, keys: { keys }, relu }) => {
    const models = keys.length;
    borrow(parts, "f32", rows * models * width, (factors) => {
      joinModels(parts, factors, { rows, models, width }, (matrixOf) => {
        for (const [g, key] of keys.entries()) {
          const own = matrixOf(g);
          parts.fill(own, 1);
          parts.dropout(own, own, rate, key);
        }
      });
      if (relu) parts.unary("relu", out, X);
      parts.binary("mul", out, relu ? out : X, factors);
    });
  };
}

function spmmEach(parts: Backend): SideBySide["spmmEach"] {
  return (out, S, X, { models, width }) => {
    separateModels(parts, X, { rows: S.numCols, models, width }, (xOf) => {
      joinModels(parts, out, { rows: S.numRows, models, width }, (outOf) => {
        for (let g = 0; g < models; g++) parts.spmm(outOf(g), S, xOf(g), width);
      });
    });
  };
}

function colSumsEach(parts: Backend): SideBySide["colSumsEach"] {
  return (out, X, rows, { models, width }) => {
    separateModels(parts, X, { rows, models, width }, (matrixOf) => {
      joinModels(parts, out, { rows: 1, models, width }, (sumsOf) => {
        for (let g = 0; g < models; g++) parts.colDots(sumsOf(g), matrixOf(g), null, rows, width);
      });
    });
  };
}

function productEach(parts: Backend): SideBySide["productEach"] {
  return (out, A, B, { models, rows, n, k, transB = false }) => {
    separateModels(parts, A, { rows, models, width: k }, (aOf) => {
      separateModels(parts, B, { rows: 1, models, width: k * n }, (bOf) => {
        joinModels(parts, out, { rows, models, width: n }, (outOf) => {
          for (let g = 0; g < models; g++) parts.matmul(outOf(g), aOf(g), bOf(g), { m: rows, n, k, transB });
        });
      });
    });
  };
}

function productEachGrad(parts: Backend): SideBySide["productEachGrad"] {
  return (dB, A, dY, { models, rows, n, k }) => {
    separateModels(parts, A, { rows, models, width: k }, (aOf) => {
      separateModels(parts, dY, { rows, models, width: n }, (dyOf) => {
        joinModels(parts, dB, { rows: 1, models, width: k * n }, (dbOf) => {
          for (let g = 0; g < models; g++) {
            parts.matmul(dbOf(g), aOf(g), dyOf(g), { m: k, n, k: rows, transA: true });
          }
        });
      });
    });
  };
}

/** best = (1 − chosen)·best + chosen·score. This needs a finite `best`, because 0 · ∞ is NaN. */
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
