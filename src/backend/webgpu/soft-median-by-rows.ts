import type { CsrBuffers, SoftMedianSteps } from "../backend.ts";
import type { Gpu } from "./gpu.ts";
import type { GpuBuffer } from "./gpu-buffer.ts";
import { laneSums } from "./lanes.ts";
import { inPieces, PIECE } from "./long-rows.ts";
import type { ShaderName } from "./shader.ts";

/** Threads of a workgroup, which has one row, and of the teams that it has two of. */
const THREADS = 32;
const TEAM = 16;
/** Neighbours that a workgroup holds; longer rows are for a kernel of their own. */
const MOST = 64;
/** Entries that a team looks at at once: as many as leave room for enough workgroups on a processor, by trial. */
const EACH = { rows: 16, features: 4 };
/** Bytes that the cache of a large GPU holds of rows that are gathered at random. */
const CACHE = 48 * 2 ** 20;
/** A row should have some entries in every launch. */
const LEAST_ENTRIES = 16;
const BINDINGS = 12;
/** A vec4f. */
const NUMBERS_PER_ROW = 4;
const EVERY_ROW = 2 ** 32 - 1;

/** Whether this device has as many bindings as these kernels want; every WebGPU device has eight. */
export function hasRoomForRows(gpu: Gpu): boolean {
  return gpu.device.limits.maxStorageBuffersPerShaderStage >= BINDINGS;
}

/** Soft Median with a workgroup per row, in which threads hold the neighbours that they have gathered. */
export function softMedianByRows(gpu: Gpu, cache = CACHE): SoftMedianSteps {
  const across: ShaderName = laneSums(gpu, THREADS) === "lanes-subgroup" ? "across-subgroup" : "across-shared";
  const kernel = (shader: ShaderName, files: ShaderName[], defines: Record<string, number | string>) =>
    gpu.kernel(`${shader} ${Object.values(defines)}`, () => ({
      files: ["common", across, "neighbourhood", ...files, shader],
      defines,
    }));
  const perRow = (name: string, argument: string, buffer: Parameters<Gpu["floats"]>[2], rows: number) =>
    gpu.floats(name, argument, buffer, NUMBERS_PER_ROW * rows);
  /** Four columns per thread where they go into rows. */
  const wideIf = (cols: number) =>
    cols % 4 === 0 ? { T: "vec4f", I: "vec4i", width: 4 } : { T: "f32", I: "i32", width: 1 };
  const sums = (width: number): ShaderName[] => [width === 4 ? "total-4" : "total-1", "team-sums", "closeness"];
  const valued = (values: GpuBuffer | null) => Number(values !== null);

  return {
    sizes: (numRows) => ({ kept: NUMBERS_PER_ROW * numRows, terms: NUMBERS_PER_ROW * numRows }),
    forward(saved, { S, X, cols, temperature }) {
      const name = "softMedianByRows.forward";
      const { rowPtr, colIdx, values } = gpu.csr(name, S);
      const size = S.numRows * cols;
      const y = gpu.floats(name, "Y", saved.Y, size);
      const m = gpu.floats(name, "saved.median", saved.median, size);
      const at = gpu.ints(name, "saved.at", saved.at, size);
      const kept = perRow(name, "saved.kept", saved.kept, S.numRows);
      const x = gpu.floats(name, "X", X, S.numCols * cols);
      const args = [y, m, at, kept, rowPtr, colIdx, values, x];
      const params = [S.numRows, cols, temperature, Number.NEGATIVE_INFINITY];
      const defines = { T: "f32", VALUED: valued(values), MOST };
      const search: ShaderName[] = ["order-key", "column-median"];
      const panels = { PANELS: Math.ceil(cols / (2 * THREADS)), FULL: Number(cols % (2 * THREADS) === 0) };
      gpu.run(kernel("soft-median", search, { ...defines, ...panels }), [...args, x], params, S.numRows);
      gpu.run(kernel("soft-median-long", search, defines), args, params, Math.ceil(S.numRows / THREADS));
    },
    rowGrads(dValues, toX, dY, { S, X, cols, temperature }, saved) {
      const name = "softMedianByRows.rowGrads";
      const { rowPtr, colIdx, values } = gpu.csr(name, S);
      const size = S.numRows * cols;
      const terms = toX && perRow(name, "toX.terms", toX.terms, S.numRows);
      const medianGrad = gpu.floatsOrNone(name, "toX.medianGrad", toX?.medianGrad, size);
      const da = gpu.floatsOrNone(name, "values", dValues, 0);
      const x = gpu.floats(name, "X", X, S.numCols * cols);
      const kept = perRow(name, "saved.kept", saved.kept, S.numRows);
      const m = gpu.floats(name, "saved.median", saved.median, size);
      const y = gpu.floats(name, "saved.Y", saved.Y, size);
      const args = [terms, da, medianGrad, rowPtr, colIdx, values, x, kept, m, gpu.floats(name, "dY", dY, size), y];
      const { T, width } = wideIf(cols);
      const flags = { TO_VALUES: Number(da !== null), TO_X: Number(toX !== null) };
      const PANELS = Math.ceil(cols / width / TEAM);
      const defines = { T, VALUED: valued(values), EACH: EACH.rows, PANELS, ...flags };
      const params = [S.numRows, cols / width, temperature, width];
      gpu.run(kernel("soft-median-row-grads", sums(width), defines), args, params, S.numRows * (toX ? PANELS : 1));
    },
    featureGrads(dX, { matrix: S }, { terms, medianGrad }, dY, { X, cols, temperature }, saved) {
      const name = "softMedianByRows.featureGrads";
      const { rowPtr, colIdx, values } = gpu.csr(name, S);
      const size = S.numCols * cols;
      const own = S.numRows * cols;
      const dx = gpu.floats(name, "dX", dX, own);
      const gathered = [
        ...[rowPtr, colIdx, values, perRow(name, "terms", terms, S.numCols)],
        ...[gpu.floats(name, "dY", dY, size), gpu.floats(name, "saved.median", saved.median, size)],
        ...[gpu.floats(name, "X", X, own), gpu.floats(name, "medianGrad", medianGrad, size)],
        gpu.ints(name, "saved.at", saved.at, size),
      ];
      const { T, I, width } = wideIf(cols);
      const PANELS = Math.ceil(cols / width / TEAM);
      const defines = { T, I, VALUED: valued(values), EACH: EACH.features, PANELS, PIECE };
      const pull = kernel("soft-median-pull", [...sums(width), "long-row"], defines);
      const transposed = { rowPtr, numRows: S.numRows, entries: colIdx.length };
      inPieces(gpu, dx, transposed, cols, ({ list, partial, workgroups }) => {
        for (const [part, [begin, end]] of partsOf(S, cols, colIdx.length, cache).entries()) {
          const isAdded = Number(part > 0);
          const isLater = Number(part > 0);
          const params = [S.numRows, cols / width, temperature, width, begin, end, workgroups, isAdded, isLater];
          gpu.run(pull, [dx, partial, list, ...gathered], params, (S.numRows + workgroups) * PANELS);
        }
      });
    },
  };
}

/** Ranges of the columns of S, so that the rows of two matrices that each of them names stay in a cache of so many bytes. */
function partsOf({ numRows, numCols }: CsrBuffers, cols: number, entries: number, cache: number) {
  const wanted = Math.ceil((2 * 4 * numCols * cols) / cache);
  const most = Math.floor(entries / Math.max(1, numRows) / LEAST_ENTRIES);
  const parts = Math.max(1, Math.min(wanted, most));
  if (parts === 1) return [[0, EVERY_ROW]] as const;
  const step = Math.ceil(numCols / parts);
  return Array.from({ length: parts }, (_, p) => [p * step, (p + 1) * step] as const);
}
