import type { Backend, Convolution } from "../../backend.ts";
import { type Gpu, WORKGROUP } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { dotRows } from "../rows/dot-rows.ts";
import { laneSums, lanesFor } from "../shared/lanes.ts";
import { rowPieces } from "../shared/row-pieces.ts";
import { composeConvolve } from "./compose-convolve.ts";
import { edgesOf, isRoomy as hasRoom } from "./edges.ts";
import { perSparseRows, sparseLanes, unevenRows, windows } from "./sparse.ts";

/** What the gradient is multiplied with, the factors of both sides, and columns. */
type DotsRest = [X: GpuBuffer, by: GpuBuffer, cols: number];

/** Graph convolution in one launch, and the way back through what it finishes with. */
export function convolve(
  gpu: Gpu,
  parts: Parameters<typeof composeConvolve>[1] & Pick<Backend, "rowDots" | "gatherRows">,
): Pick<Backend, "convolve" | "convolveRows" | "convolveGrad" | "finishGrad" | "finishGradRows"> {
  const fused: Backend["convolve"] = (out, graph, X, cols, scale, { bias, relu = false } = {}) => {
    const { numRows } = graph.A;
    const edges = edgesOf(gpu, "convolve", graph, scale);
    const y = gpu.floats("convolve", "out", out, numRows * cols);
    const x = gpu.floats("convolve", "X", X, numRows * cols);
    const by = gpu.floats("convolve", "scale.by", scale.by, numRows);
    const added = gpu.floatsOrNone("convolve", "bias", bias, cols);
    const [first, rest, split] = windows(gpu, x, numRows, cols);
    const flags = { WINDOWS: rest ? 2 : 1, ...edges.flags };
    const finish = 2 * Number(added !== null) + 4 * Number(relu);
    const files = [edges.file, "convolve-all-rows", "convolve-store"] as const;
    const piece = (begin: number, count: number) => {
      const args = [y.window(begin * cols, count * cols), ...edges.args(begin, count), first, by, rest, added];
      return { args, params: [split, begin, finish] };
    };
    perSparseRows(gpu, files, flags, numRows, cols, piece, unevenRows(edges.most, numRows, cols));
  };
  const someRows: Required<Backend>["convolveRows"] = (out, rows, graph, X, cols, scale, finish = {}) => {
    const name = "convolveRows";
    const { numRows } = graph.A;
    const { bias, relu = false } = finish;
    const at = gpu.ints(name, "rows", rows);
    const edges = edgesOf(gpu, name, graph, scale);
    const y = gpu.floats(name, "out", out, at.length * cols);
    const x = gpu.floats(name, "X", X, numRows * cols);
    if (!isRoomy || windows(gpu, x, numRows, cols)[1] !== null) {
      gpu.borrow([["f32", numRows * cols]], (all) => {
        convolve(all, graph, X, cols, scale, finish);
        parts.gatherRows(out, all, rows, cols);
      });
      return;
    }
    const by = gpu.floats(name, "scale.by", scale.by, numRows);
    const added = gpu.floatsOrNone(name, "bias", bias, cols);
    const asked = 2 * Number(added !== null) + 4 * Number(relu);
    const files = [edges.file, "convolve-chosen-rows", "convolve-store"] as const;
    const piece = (begin: number, count: number) => {
      const args = [y.window(begin * cols, count * cols), ...edges.args(0, numRows), x, by];
      return { args: [...args, at.window(begin, count), added], params: [0, 0, asked] };
    };
    const entries = (edges.most * at.length) / Math.max(numRows, 1);
    perSparseRows(gpu, files, edges.flags, at.length, cols, piece, unevenRows(entries, at.length, cols));
  };
  const isRoomy = hasRoom(gpu);
  const convolve = isRoomy ? fused : composeConvolve(gpu, parts);
  /** dX, if it is there, and its inner products with the rows of X: a vector per panel of columns in `dots`. */
  const withDots = (dX: GpuBuffer | null, dots: GpuBuffer, graph: Convolution, dZ: GpuBuffer, ...rest: DotsRest) => {
    const [X, by, cols] = rest;
    const { numRows } = graph.A;
    const { lanes, wide } = sparseLanes(cols);
    const edges = edgesOf(gpu, "convolveGrad", graph, { by, sides: "both" });
    const files = [edges.file, laneSums(gpu, lanes), wide ? "total-vec4f" : "total-f32", "convolve-row-dots"] as const;
    const piece = () => ({ args: [dX, ...edges.args(0, numRows), dZ, by, X, dots], params: [0, 0, 0] });
    const flags = { STORED: Number(dX !== null), ...edges.flags };
    perSparseRows(gpu, files, flags, numRows, cols, piece, unevenRows(edges.most, numRows, cols));
  };
  return {
    convolve,
    convolveRows: someRows,
    convolveGrad({ dX, dScale }, graph, dZ, X, cols, { by, dots, accumulate = false }) {
      const name = "convolveGrad";
      const { numRows } = graph.A;
      const size = numRows * cols;
      const dz = gpu.floats(name, "dZ", dZ, size);
      const x = gpu.floats(name, "X", X, size);
      const dx = gpu.floatsOrNone(name, "dX", dX, size);
      const factors = gpu.floats(name, "by", by, numRows);
      const known = [gpu.floats(name, "dScale", dScale, numRows), gpu.floats(name, "dots", dots, numRows)];
      const isOne = isRoomy && windows(gpu, dz, numRows, cols)[1] === null;
      const numParts = isOne ? sparseLanes(cols).panels : 1;
      gpu.borrow(
        [["f32", numParts * numRows] as const, ["f32", dx || isOne ? 0 : size] as const],
        (sums, temporary) => {
          if (isOne) withDots(dx, sums, graph, dz, x, factors, cols);
          else {
            const to = dx ?? temporary;
            convolve(to, graph, dz, cols, { by, sides: "both" });
            parts.rowDots(sums, to, x, numRows, cols);
          }
          const ACCUMULATE = Number(accumulate);
          const files = ["threads", "scale-grad"] as const;
          const kernel = gpu.kernel(`scale-grad ${ACCUMULATE}`, () => ({ files, defines: { ACCUMULATE } }));
          gpu.run(kernel, [...known, sums, factors], [numRows, numParts], Math.ceil(numRows / WORKGROUP));
        },
      );
    },
    finishGradRows(dZ, dots, dY, Y, places, cols, { bias, relu = false }) {
      const name = "finishGradRows";
      const { numRows, numCols } = places;
      const dy = gpu.floats(name, "dY", dY, numCols * cols);
      const y = gpu.floats(name, "Y", Y, numCols * cols);
      const dz = gpu.floats(name, "dZ", dZ, numRows * cols);
      const sums = gpu.floats(name, "dots", dots, numRows);
      const { rowPtr, colIdx } = gpu.csr(name, places);
      const added = gpu.floatsOrNone(name, "bias", bias, cols);
      const asked = 2 * Number(added !== null) + 4 * Number(relu);
      const wide = cols % 4 === 0;
      const width = wide ? cols / 4 : cols;
      const { lanes, file } = lanesFor(gpu, width / 4); // few: most rows are not among those and hold nothing but zeros
      const kernel = gpu.kernel(`finish-grad-rows ${wide} ${lanes}`, () => ({
        files: ["threads", file, wide ? "total-vec4f" : "total-f32", "finish-grad-rows"],
        defines: { T: wide ? "vec4f" : "f32", LANES: lanes },
      }));
      const args = (begin: number, count: number) => {
        const results = [dz.window(begin * cols, count * cols), sums.window(begin, count)];
        return [...results, dy, y, added, rowPtr.window(begin, count + 1), colIdx];
      };
      rowPieces(gpu, numRows, cols, (begin, count) =>
        gpu.run(kernel, args(begin, count), [count, width, asked], Math.ceil((count * lanes) / WORKGROUP)),
      );
    },
    finishGrad(dZ, dots, dY, Y, rows, cols, { bias, relu = false }) {
      const name = "finishGrad";
      const dy = gpu.floats(name, "dY", dY, rows * cols);
      const y = gpu.floats(name, "Y", Y, rows * cols);
      const dz = relu ? gpu.floats(name, "dZ", dZ, rows * cols) : null;
      const sums = gpu.floats(name, "dots", dots, rows);
      const added = gpu.floatsOrNone(name, "bias", bias, cols);
      const flags = { HAS_BIAS: Number(added !== null), RELU: Number(relu) };
      dotRows(gpu, "finish-grad", flags, [rows, cols], (begin, count) => {
        const at = begin * cols;
        const size = count * cols;
        const results = [dz?.window(at, size) ?? null, sums.window(begin, count)];
        return [...results, dy.window(at, size), y.window(at, size), added];
      });
    },
  };
}
