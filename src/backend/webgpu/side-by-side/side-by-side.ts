import type { CopyEach, SideBySide } from "../../backend.ts";
import { dropoutThreshold } from "../../dropout.ts";
import { partsOfK } from "../dense/matmul.ts";
import { tilingOf } from "../dense/tiling.ts";
import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { columnDots } from "../reductions/reductions.ts";
import { elementPieces } from "../shared/element-pieces.ts";
import { finishBits } from "../shared/finish-bits.ts";
import { rowVectors } from "../shared/row-vectors.ts";
import { singleRows } from "../sparse/gathered-rows.ts";
import { sparseProduct } from "../sparse/sparse.ts";

/** Elements per Philox counter: it has 128 bits, and an element takes 16. */
const PER_COUNTER = 8;
/** Copies per launch, as in `copy-each-if.wgsl`. */
const TOGETHER = 3;

/** Kernels for models side by side, in as many launches as for one model. */
export function sideBySide(gpu: Gpu): SideBySide {
  return {
    dropoutEach: dropoutEach(gpu),
    spmmEach: spmmEach(gpu),
    colSumsEach: colSumsEach(gpu),
    productEach: productEach(gpu),
    productEachGrad: productEachGrad(gpu),
    improveEach: improveEach(gpu),
    copyEachIf: (copies, chosen, models) => {
      const flags = gpu.floats("copyEachIf", "chosen", chosen, models);
      for (let first = 0; first < copies.length; first += TOGETHER) {
        copyTogether(gpu, copies.slice(first, first + TOGETHER), flags, models);
      }
    },
  };
}

function spmmEach(gpu: Gpu): SideBySide["spmmEach"] {
  return (out, S, X, { models, width }) => {
    const cols = models * width;
    const y = gpu.floats("spmmEach", "out", out, S.numRows * cols);
    const x = gpu.floats("spmmEach", "X", X, S.numCols * cols);
    const rows = singleRows(gpu, x, { rows: S.numCols, cols, entries: S.colIdx.length });
    const asAlone = { ...rows, vectors: rowVectors(width) };
    sparseProduct(gpu, { out: y, S, X: asAlone, cols, accumulate: false });
  };
}

function dropoutEach(gpu: Gpu): SideBySide["dropoutEach"] {
  return ({ out, X, rows, width, rate, keys, relu }) => {
    const name = "dropoutEach";
    const models = keys.keys.length;
    const size = rows * models * width;
    const y = gpu.floats(name, "out", out, size);
    const x = gpu.floats(name, "X", X, size);
    const words = gpu.ints(name, "keys", keys.words, keys.first + 2 * models);
    const together = width % PER_COUNTER === 0 ? PER_COUNTER : 1;
    const draw = {
      threshold: dropoutThreshold(rate),
      scale: 1 / (1 - rate),
      floor: relu ? 0 : Number.NEGATIVE_INFINITY,
    };
    elementPieces(gpu, size, (begin, length) =>
      gpu.launch({
        shader: "dropout-each",
        constants: { TOGETHER: together },
        bind: { out: y.window(begin, length), X: x.window(begin, length), keys: words },
        params: { ...draw, begin, length, width, models, firstKey: keys.first },
        threads: Math.ceil(length / together),
      }),
    );
  };
}

function colSumsEach(gpu: Gpu): SideBySide["colSumsEach"] {
  return (out, X, rows, { models, width }) => {
    const cols = models * width;
    const y = gpu.floats("colSumsEach", "out", out, cols);
    const x = gpu.floats("colSumsEach", "X", X, rows * cols);
    columnDots(gpu, { out: y, A: x, B: null, rows, cols, width });
  };
}

function productEach(gpu: Gpu): SideBySide["productEach"] {
  return (out, A, B, { models, rows, n, k, transB = false }) => {
    const name = "productEach";
    gpu.launch({
      shader: "product-each",
      constants: { TRANS_B: Number(transB) },
      bind: {
        out: gpu.floats(name, "out", out, rows * models * n),
        A: gpu.floats(name, "A", A, rows * models * k),
        B: gpu.floats(name, "B", B, models * k * n),
      },
      params: { models, rows, n, k },
      threads: rows * models * n,
    });
  };
}

function productEachGrad(gpu: Gpu): SideBySide["productEachGrad"] {
  return (dB, A, dY, { models, rows, n, k }) => {
    const name = "productEachGrad";
    const length = models * k * n;
    const tiling = tilingOf({ m: k, n, k: rows, transA: true });
    const { chunk, numParts } = partsOfK(k, n, rows, tiling); // as for the product of one model, for the same bits
    const to = gpu.floats(name, "dB", dB, length);
    gpu.borrow({ parts: { f32: numParts * length } }, ({ parts }) => {
      gpu.launch({
        shader: "product-each-grad",
        bind: {
          parts,
          A: gpu.floats(name, "A", A, rows * models * k),
          dY: gpu.floats(name, "dY", dY, rows * models * n),
        },
        params: { models, rows, n, k, rowsPerPart: chunk, numParts },
        threads: numParts * length,
      });
      gpu.launch({
        shader: "sum-parts",
        bind: { out: to, parts, bias: null },
        params: { length, numParts, cols: n, finish: finishBits({ bias: null, relu: false }) },
        threads: length,
      });
    });
  };
}

function improveEach(gpu: Gpu): SideBySide["improveEach"] {
  return ({ chosen, best, score, learning, models }) => {
    const floats = (argument: string, buffer: typeof chosen) => gpu.floats("improveEach", argument, buffer, models);
    gpu.launch({
      shader: "improve-each",
      bind: {
        chosen: floats("chosen", chosen),
        best: floats("best", best),
        score: floats("score", score),
        learning: floats("learning", learning),
      },
      params: { models },
      threads: models,
    });
  };
}

/** Up to three copies in one launch, because most of the time of a small copy is the launch itself. */
function copyTogether(gpu: Gpu, copies: readonly CopyEach[], chosen: GpuBuffer, models: number): void {
  const floats = (argument: "to" | "from", copy: CopyEach | undefined) =>
    copy ? gpu.floats("copyEachIf", argument, copy[argument], copy.to.length) : null;
  const [first, second, third] = copies;
  gpu.launch({
    shader: "copy-each-if",
    bind: {
      chosen,
      firstTo: floats("to", first),
      firstFrom: floats("from", first),
      secondTo: floats("to", second),
      secondFrom: floats("from", second),
      thirdTo: floats("to", third),
      thirdFrom: floats("from", third),
    },
    params: {
      models,
      firstWidth: first.width,
      firstLength: first.to.length,
      secondWidth: second?.width ?? 1,
      secondLength: second?.to.length ?? 0,
      thirdWidth: third?.width ?? 1,
      thirdLength: third?.to.length ?? 0,
    },
    threads: Math.max(...copies.map(({ to }) => to.length)),
  });
}
