import { check, ShapeError } from "../../../core/errors.ts";
import type { Backend, CsrBuffers, Scale } from "../../backend.ts";
import { type Gpu, WORKGROUP } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import type { ShaderName } from "../device/shader.ts";
import { lanesFor } from "../shared/lanes.ts";
import { rowPieces, rowsPerBinding } from "../shared/row-pieces.ts";

/** Pairs that a group of lanes treats. */
const PAIRS_PER_GROUP = 4;

type Sparse = Pick<Backend, "spmm" | "sddmm" | "rowSums" | "pairSums" | "edgeSoftmax" | "edgeSoftmaxGrad">;

/** Products and sums over the entries of a sparse matrix or the pairs of a block. */
export function sparse(gpu: Gpu): Sparse {
  return {
    spmm(out, S, X, cols, accumulate = false) {
      const { rowPtr, colIdx, values } = gpu.csr("spmm", S);
      const y = gpu.floats("spmm", "out", out, S.numRows * cols);
      const x = gpu.floats("spmm", "X", X, S.numCols * cols);
      const [first, rest, split] = windows(gpu, x, S.numCols, cols);
      const flags = { VALUED: Number(values !== null), ACCUMULATE: Number(accumulate), WINDOWS: rest ? 2 : 1 };
      perSparseRows(gpu, ["spmm-entries"], flags, S.numRows, cols, (begin, count) => ({
        args: [y.window(begin * cols, count * cols), rowPtr.window(begin, count + 1), colIdx, values, first, rest],
        params: [split],
      }));
    },
    sddmm(out, pairs, P, Q, cols, { symmetric = false, accumulate = false, scale } = {}) {
      const { sources, targets } = gpu.pairs("sddmm", pairs);
      const y = gpu.floats("sddmm", "out", out, pairs.length);
      const p = gpu.floats("sddmm", "P", P, pairs.numNodes * cols);
      const q = gpu.floats("sddmm", "Q", Q, pairs.numNodes * cols);
      const wide = cols % 4 === 0;
      const width = wide ? cols / 4 : cols;
      const { lanes, file } = lanesFor(gpu, width);
      const [P1, P2, split] = windows(gpu, p, Math.floor(p.length / Math.max(cols, 1)), cols);
      const [Q1, Q2] = windows(gpu, q, Math.floor(q.length / Math.max(cols, 1)), cols);
      const by = gpu.floatsOrNone("sddmm", "scale.by", scale?.by, pairs.numNodes);
      const how = { SYMMETRIC: Number(symmetric), ACCUMULATE: Number(accumulate), WINDOWS: P2 || Q2 ? 2 : 1 };
      const flags = { ...how, ...sideFlags(scale) };
      const kernel = gpu.kernel(`sddmm ${wide} ${lanes} ${Object.values(flags)}`, () => ({
        files: ["threads", file, wide ? "total-vec4f" : "total-f32", "sddmm"],
        defines: { T: wide ? "vec4f" : "f32", LANES: lanes, ...flags },
      }));
      const groups = Math.ceil((pairs.length * lanes) / (WORKGROUP * PAIRS_PER_GROUP));
      gpu.run(kernel, [y, sources, targets, P1, Q1, P2, Q2, by], [pairs.length, width, 0, width, split], groups);
    },
    rowSums(out, S, accumulate = false) {
      const { rowPtr, values } = gpu.csr("rowSums", S);
      const y = gpu.floats("rowSums", "out", out, S.numRows);
      const { lanes, file } = lanesFor(gpu, values ? 32 : 1);
      const flags = { VALUED: Number(values !== null), ACCUMULATE: Number(accumulate) };
      const kernel = gpu.kernel(`row-sums ${lanes} ${Object.values(flags)}`, () => ({
        files: ["threads", file, "row-sums"],
        defines: { LANES: lanes, ...flags },
      }));
      gpu.run(kernel, [y, rowPtr, values], [S.numRows], Math.ceil((S.numRows * lanes) / WORKGROUP));
    },
    pairSums(out, pairs, x, ends, accumulate = false, signs = null) {
      const { sources, targets } = gpu.pairs("pairSums", pairs);
      const y = gpu.floats("pairSums", "out", out, pairs.length);
      const values = gpu.floats("pairSums", "x", x, pairs.numNodes);
      const sign = gpu.floatsOrNone("pairSums", "signs", signs, pairs.length);
      const number = ends === "source" ? 1 : ends === "target" ? 2 : 3;
      const flags = { ENDS: number, ACCUMULATE: Number(accumulate), SIGNED: Number(sign !== null) };
      const kernel = gpu.kernel(`pair-sums ${Object.values(flags)}`, () => ({
        files: ["threads", "pair-sums"],
        defines: flags,
      }));
      gpu.run(kernel, [y, sources, targets, values, sign], [pairs.length], Math.ceil(pairs.length / WORKGROUP));
    },
    edgeSoftmax(out, S, x) {
      const { rowPtr } = gpu.csr("edgeSoftmax", S);
      const args = [gpu.floats("edgeSoftmax", "out", out), rowPtr, gpu.floats("edgeSoftmax", "x", x, out.length)];
      perSparseRow("edge-softmax", args, S, [Number.NEGATIVE_INFINITY]);
    },
    edgeSoftmaxGrad(dx, S, dy, y) {
      const name = "edgeSoftmaxGrad";
      const { rowPtr } = gpu.csr(name, S);
      const args = [gpu.floats(name, "dx", dx), rowPtr, gpu.floats(name, "dy", dy, dx.length)];
      perSparseRow("edge-softmax-grad", [...args, gpu.floats(name, "y", y, dx.length)], S, []);
    },
  };

  function perSparseRow(
    shader: "edge-softmax" | "edge-softmax-grad",
    args: GpuBuffer[],
    { numRows }: CsrBuffers,
    params: number[],
  ): void {
    const { lanes, file } = lanesFor(gpu, 32);
    const kernel = gpu.kernel(`${shader} ${lanes}`, () => ({
      files: ["threads", file, shader],
      defines: { LANES: lanes },
    }));
    gpu.run(kernel, args, [numRows, ...params], Math.ceil((numRows * lanes) / WORKGROUP));
  }
}

/** Whether the left factor of a product is scaled, and whether the right one is. */
export function sideFlags(scale: Scale | undefined) {
  return { LEFT: Number(!!scale && scale.sides !== "right"), RIGHT: Number(!!scale && scale.sides !== "left") };
}

/** Most threads per row of a sparse product: panels of 64 columns of 169,000 rows stay in the cache of a large GPU. */
const SPMM_LANES = 16;

/** How the rows of a sparse product are shared out. */
interface Sharing {
  /** Of a workgroup. */
  readonly THREADS: number;
  /** Rows with more entries are shared by all threads of their workgroup, one after the other. */
  readonly LONG: number;
}

const USUAL: Sharing = { THREADS: 128, LONG: 128 };
const SMALL_GROUPS: Sharing = { THREADS: 64, LONG: 64 };

/**
 * For rows of very different lengths, `entries` in all at most. A workgroup waits for its longest row, so that small ones are
 * faster; not where most rows are long, nor where there is so little to do that the longest row of all would be waited for.
 */
export function unevenRows(entries: number, rows: number, cols: number): Sharing {
  const isShort = entries < 32 * rows;
  const isMuch = rows * sparseLanes(cols).panels >= 2 ** 17;
  return isShort && isMuch ? SMALL_GROUPS : USUAL;
}

/** How many threads share a row of a sparse product, and in how many panels of columns: a power of two, or as many as a narrow row has. */
export function sparseLanes(cols: number): { lanes: number; width: number; wide: boolean; panels: number } {
  const wide = cols % 4 === 0;
  const width = wide ? cols / 4 : cols;
  if (width > SPMM_LANES / 2 && width < SPMM_LANES) return { lanes: width, width, wide, panels: 1 };
  let lanes = 1;
  while (lanes < SPMM_LANES && lanes < width) lanes *= 2;
  return { lanes, width, wide, panels: Math.ceil(width / lanes) };
}

/** Launches `spmm.wgsl` with what `files` say of bindings and rows, over pieces of rows. */
export function perSparseRows(
  gpu: Gpu,
  files: readonly ShaderName[],
  flags: Readonly<Record<string, number>>,
  rows: number,
  cols: number,
  piece: (begin: number, count: number) => { args: (GpuBuffer | null)[]; params: number[] },
  sharing = USUAL,
): void {
  if (cols === 0) return;
  const { lanes, width, wide, panels } = sparseLanes(cols);
  const AT_ONCE = files.includes("convolve-row-dots") ? 6 : 8; // what else a thread holds leaves room for fewer there
  const constants = { AT_ONCE, ...flags, ...sharing };
  const kernel = gpu.kernel(`${files.join(" ")} ${wide} ${lanes} ${Object.values(constants)}`, () => ({
    files: ["threads", ...files, "spmm"],
    defines: { T: wide ? "vec4f" : "f32", I: wide ? "vec4i" : "i32", LANES: lanes, ...constants },
  }));
  rowPieces(gpu, rows, cols, (begin, count) => {
    const rowGroups = Math.ceil(count / Math.floor(sharing.THREADS / lanes));
    const { args, params } = piece(begin, count);
    gpu.run(kernel, args, [count, width, rowGroups, ...params], rowGroups * panels);
  });
}

/** The rows of a matrix that is gathered from, as one window or two, and the row at which the second begins. */
export function windows(gpu: Gpu, X: GpuBuffer, rows: number, cols: number): [GpuBuffer, GpuBuffer | null, number] {
  const split = rowsPerBinding(gpu, cols);
  if (rows <= split) return [X, null, split];
  check(
    rows <= 2 * split,
    () =>
      `webgpu: a matrix of ${rows} rows and ${cols} columns is over two bindings of ${split} rows; use fewer columns`,
    ShapeError,
  );
  return [X.window(0, split * cols), X.window(split * cols, (rows - split) * cols), split];
}
