import type { Buffer, CsrBuffers, SoftMedianSteps } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import type { ShaderName } from "../device/shader.ts";
import { laneSums } from "../shared/lanes.ts";
import { rowVectors } from "../shared/row-vectors.ts";
import { inPieces, PIECE } from "./long-rows.ts";

/** Threads of a workgroup, which has one row, and of each of its two teams. */
const THREADS = 32;
const TEAM = 16;
/** Most neighbours that a workgroup holds; a separate kernel has the longer rows. */
const MOST = 64;
/** Entries that a team loads together, found by trial: more would leave room for too few workgroups on a processor. */
const EACH = { rows: 16, features: 4 };
/** Bytes of randomly gathered rows that the cache of a large GPU holds. */
const CACHE = 48 * 2 ** 20;
/** Least entries per row in a launch, on average. */
const LEAST_ENTRIES = 16;
const BINDINGS = 12;
/** A vec4f. */
const NUMBERS_PER_ROW = 4;
const EVERY_ROW = 2 ** 32 - 1;

/** Whether the device has enough bindings for these kernels; WebGPU guarantees only eight. */
export function hasRoomForRows(gpu: Gpu): boolean {
  return gpu.device.limits.maxStorageBuffersPerShaderStage >= BINDINGS;
}

/** Soft Median with a workgroup per row, whose threads gather the neighbours once and hold them in registers. */
export function softMedianByRows(gpu: Gpu, cache = CACHE): SoftMedianSteps {
  return {
    sizes: (numRows) => ({ kept: NUMBERS_PER_ROW * numRows, terms: NUMBERS_PER_ROW * numRows }),
    forward: forward(gpu),
    rowGrads: rowGrads(gpu),
    featureGrads: featureGrads(gpu, cache),
  };
}

function forward(gpu: Gpu): SoftMedianSteps["forward"] {
  const shuffle = shuffleFile(gpu);
  return (saved, { S, X, cols, temperature }) => {
    const name = "softMedianByRows.forward";
    const { rowPtr, colIdx, values } = gpu.csr(name, S);
    const size = S.numRows * cols;
    const bind = {
      out: gpu.floats(name, "Y", saved.Y, size),
      median: gpu.floats(name, "saved.median", saved.median, size),
      holder: gpu.ints(name, "saved.at", saved.at, size),
      kept: numbersOfRows(gpu, name, "saved.kept", saved.kept, S.numRows),
      rowPtr,
      colIdx,
      entryValues: values,
      X: gpu.floats(name, "X", X, S.numCols * cols),
    };
    const params = { rows: S.numRows, cols, temperature, lowest: Number.NEGATIVE_INFINITY };
    const constants = { T: "f32", VALUED: Number(values !== null), MOST };
    const panel = 2 * THREADS; // columns
    gpu.launch({
      shader: "soft-median",
      with: [shuffle],
      constants: { ...constants, PANELS: Math.ceil(cols / panel), FULL: Number(cols % panel === 0) },
      bind: { ...bind, pairs: bind.X },
      params,
      groups: S.numRows,
    });
    gpu.launch({
      shader: "soft-median-long",
      with: [shuffle],
      constants,
      bind,
      params,
      groups: Math.ceil(S.numRows / THREADS),
    });
  };
}

function rowGrads(gpu: Gpu): SoftMedianSteps["rowGrads"] {
  const shuffle = shuffleFile(gpu);
  return (dValues, toX, dY, { S, X, cols, temperature }, saved) => {
    const name = "softMedianByRows.rowGrads";
    const { rowPtr, colIdx, values } = gpu.csr(name, S);
    const size = S.numRows * cols;
    const da = gpu.floatsOrNone(name, "values", dValues, 0);
    const { T, width, size: perVector, total } = rowVectors(cols);
    const PANELS = Math.ceil(width / TEAM);
    gpu.launch({
      shader: "soft-median-row-grads",
      with: [shuffle, total],
      constants: {
        T,
        VALUED: Number(values !== null),
        EACH: EACH.rows,
        PANELS,
        TO_VALUES: Number(da !== null),
        TO_X: Number(toX !== null),
      },
      bind: {
        terms: toX && numbersOfRows(gpu, name, "toX.terms", toX.terms, S.numRows),
        dValues: da,
        medianGrad: gpu.floatsOrNone(name, "toX.medianGrad", toX?.medianGrad, size),
        rowPtr,
        colIdx,
        entryValues: values,
        X: gpu.floats(name, "X", X, S.numCols * cols),
        kept: numbersOfRows(gpu, name, "saved.kept", saved.kept, S.numRows),
        median: gpu.floats(name, "saved.median", saved.median, size),
        dY: gpu.floats(name, "dY", dY, size),
        Y: gpu.floats(name, "saved.Y", saved.Y, size),
      },
      params: { rows: S.numRows, cols: width, temperature, width: perVector },
      groups: S.numRows * (toX ? PANELS : 1),
    });
  };
}

function featureGrads(gpu: Gpu, cache: number): SoftMedianSteps["featureGrads"] {
  const shuffle = shuffleFile(gpu);
  return ({
    dX,
    transposed: { matrix: S },
    toX: { terms, medianGrad },
    dY,
    of: { X, cols, temperature },
    from: saved,
  }) => {
    const name = "softMedianByRows.featureGrads";
    const { rowPtr, colIdx, values } = gpu.csr(name, S);
    const size = S.numCols * cols;
    const dx = gpu.floats(name, "dX", dX, S.numRows * cols);
    const gathered = {
      rowPtr,
      colIdx,
      entryValues: values,
      terms: numbersOfRows(gpu, name, "terms", terms, S.numCols),
      G: gpu.floats(name, "dY", dY, size),
      M: gpu.floats(name, "saved.median", saved.median, size),
      X: gpu.floats(name, "X", X, S.numRows * cols),
      heldGrad: gpu.floats(name, "medianGrad", medianGrad, size),
      holder: gpu.ints(name, "saved.at", saved.at, size),
    };
    const { T, I, width, size: perVector, total } = rowVectors(cols);
    const PANELS = Math.ceil(width / TEAM);
    const transposed = { rowPtr, numRows: S.numRows, entries: colIdx.length };
    inPieces(gpu, dx, transposed, cols, ({ list, partial, workgroups }) => {
      for (const { begin, end } of cachedParts(S, cols, colIdx.length, cache)) {
        gpu.launch({
          shader: "soft-median-pull",
          with: [shuffle, total],
          constants: { T, I, VALUED: Number(values !== null), EACH: EACH.features, PANELS, PIECE },
          bind: { ...gathered, dX: dx, partial, pieces: list },
          params: {
            rows: S.numRows,
            cols: width,
            temperature,
            width: perVector,
            begin,
            end,
            further: workgroups,
            accumulate: Number(begin > 0),
            accumulatePartial: Number(begin > 0),
          },
          groups: (S.numRows + workgroups) * PANELS,
        });
      }
    });
  };
}

/** How threads of a workgroup exchange numbers: in a subgroup if it has all of them, else through workgroup memory. */
function shuffleFile(gpu: Gpu): ShaderName {
  return laneSums(gpu, THREADS) === "lanes-subgroup" ? "shuffle-subgroup" : "shuffle-shared";
}

function numbersOfRows(gpu: Gpu, kernel: string, argument: string, buffer: Buffer, rows: number) {
  return gpu.floats(kernel, argument, buffer, NUMBERS_PER_ROW * rows);
}

/** Ranges of columns of S, so that the rows gathered for one range, from two matrices, fit a cache of `cache` bytes. */
function cachedParts({ numRows, numCols }: CsrBuffers, cols: number, entries: number, cache: number) {
  const wanted = Math.ceil((2 * 4 * numCols * cols) / cache);
  const most = Math.floor(entries / Math.max(1, numRows) / LEAST_ENTRIES);
  const parts = Math.max(1, Math.min(wanted, most));
  if (parts === 1) return [{ begin: 0, end: EVERY_ROW }];
  const step = Math.ceil(numCols / parts);
  return Array.from({ length: parts }, (_, p) => ({ begin: p * step, end: (p + 1) * step }));
}
