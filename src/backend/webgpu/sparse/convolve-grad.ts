import type { Backend, Convolution } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { laneSums } from "../shared/lanes.ts";
import { edgesOf } from "./edges.ts";
import { gatherWindows } from "./gather-windows.ts";
import { overSparseRows, sparseLanes, unevenRows } from "./sparse-rows.ts";

/** Loads in flight per thread: fewer than usual, because a thread holds more here. */
const AT_ONCE = 6;

/** The gradients of a convolution by its input and by the scale of its rows and columns. */
export function convolveGrad(
  gpu: Gpu,
  { convolve, rowDots }: Pick<Backend, "convolve" | "rowDots">,
): Backend["convolveGrad"] {
  return ({ grads: { dX, dScale }, graph, dZ, X, cols, scale: { by, dots, accumulate = false } }) => {
    const name = "convolveGrad";
    const { numRows } = graph.A;
    const size = numRows * cols;
    const dz = gpu.floats(name, "dZ", dZ, size);
    const x = gpu.floats(name, "X", X, size);
    const dx = gpu.floatsOrNone(name, "dX", dX, size);
    const scale = gpu.floats(name, "by", by, numRows);
    const out = gpu.floats(name, "dScale", dScale, numRows);
    const known = gpu.floats(name, "dots", dots, numRows);
    const inOneLaunch = !gatherWindows(gpu, dz, numRows, cols).rest;
    const numParts = inOneLaunch ? sparseLanes(cols).panels : 1;
    const scratch = { parts: { f32: numParts * numRows }, temporary: { f32: dx || inOneLaunch ? 0 : size } };
    gpu.borrow(scratch, ({ parts, temporary }) => {
      if (inOneLaunch) {
        convolveWithDots(gpu, { graph, dX: dx, dots: parts, dZ: dz, X: x, scale, cols });
      } else {
        const to = dx ?? temporary;
        convolve({ out: to, graph, X: dz, cols, scale: { by, sides: "both" } });
        rowDots(parts, to, x, numRows, cols);
      }
      gpu.launch({
        shader: "scale-grad",
        constants: { ACCUMULATE: Number(accumulate) },
        bind: { out, dots: known, parts, scale },
        params: { rows: numRows, numParts },
        threads: numRows,
      });
    });
  };
}

interface WithDots {
  readonly graph: Convolution;
  /** Null where it is not wanted. */
  readonly dX: GpuBuffer | null;
  /** Inner products of the rows of dX and X, a vector per panel of columns. */
  readonly dots: GpuBuffer;
  readonly dZ: GpuBuffer;
  readonly X: GpuBuffer;
  /** Of both sides. */
  readonly scale: GpuBuffer;
  readonly cols: number;
}

function convolveWithDots(gpu: Gpu, { graph, dX, dots, dZ, X, scale, cols }: WithDots): void {
  const { numRows } = graph.A;
  const { lanes, total } = sparseLanes(cols);
  const edges = edgesOf(gpu, "convolveGrad", graph, { by: scale, sides: "both" });
  overSparseRows(gpu, {
    with: [edges.file, "convolve-row-dots", laneSums(gpu, lanes), total],
    constants: { ...edges.constants, STORED: Number(dX !== null) },
    rows: numRows,
    cols,
    sharing: unevenRows(edges.most, numRows, cols),
    atOnce: AT_ONCE,
    piece: () => ({ bind: { ...edges.bind(0, numRows), out: dX, X: dZ, scale, other: X, dots } }),
  });
}
