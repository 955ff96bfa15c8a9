import type { Backend } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { laneSums } from "../shared/lanes.ts";
import { type Edges, edgesOf } from "./edges.ts";
import type { GatheredRows, RowGathering } from "./gathered-rows.ts";
import { overSparseRows, sparseLanes, unevenRows } from "./sparse-rows.ts";

/** Loads in flight per thread: fewer than usual, because a thread holds more here. */
const AT_ONCE = 6;

/** The gradients of a convolution by its input and by the scale of its rows and columns. */
export function convolveGrad(
  gpu: Gpu,
  gathering: RowGathering,
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
    const edges = edgesOf(gpu, name, graph, { by, sides: "both" });
    const gathers = { rows: numRows, cols, entries: edges.most };
    const from = gathering.windows([dz], gathers) === 1 ? gathering.from(dz, gathers) : null;
    const numParts = from ? sparseLanes(from.vectors).panels : 1;
    const scratch = { parts: { f32: numParts * numRows }, temporary: { f32: dx || from ? 0 : size } };
    gpu.borrow(scratch, ({ parts, temporary }) => {
      if (from) {
        convolveWithDots(gpu, { numRows, edges, from, dX: dx, dots: parts, X: x, scale, cols });
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
  readonly numRows: number;
  readonly edges: Edges;
  /** The rows of dZ. */
  readonly from: GatheredRows;
  /** Null: not stored. */
  readonly dX: GpuBuffer | null;
  /** Receives inner products of the rows of dX and X, a vector per panel of columns. */
  readonly dots: GpuBuffer;
  readonly X: GpuBuffer;
  /** The factors of both sides. */
  readonly scale: GpuBuffer;
  readonly cols: number;
}

function convolveWithDots(gpu: Gpu, { numRows, edges, from, dX, dots, X, scale, cols }: WithDots): void {
  const { lanes } = sparseLanes(from.vectors);
  const { total, put, given } = from.vectors;
  overSparseRows(gpu, {
    with: [edges.file, from.file, "convolve-all-rows", "convolve-row-dots", laneSums(gpu, lanes), total, put, given],
    constants: { ...edges.constants, STORED: Number(dX !== null) },
    rows: numRows,
    cols,
    vectors: from.vectors,
    sharing: unevenRows(edges.most, numRows, from.vectors),
    atOnce: AT_ONCE,
    piece: (begin, count) => ({
      bind: {
        ...edges.bind(begin, count),
        ...from.bind,
        out: dX?.window(begin * cols, count * cols) ?? null,
        given: X.window(begin * cols, count * cols),
        scale,
        dots,
      },
      params: { ...from.params, offset: begin, numNodes: numRows },
    }),
  });
}
