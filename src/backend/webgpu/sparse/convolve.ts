import type { Backend } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import { finishBits } from "../shared/finish-bits.ts";
import { convolveGrad } from "./convolve-grad.ts";
import { bindsConvolution, edgesOf } from "./edges.ts";
import { finishGrad, finishGradRows } from "./finish-grad.ts";
import { gatherWindows } from "./gather-windows.ts";
import { overSparseRows, unevenRows } from "./sparse-rows.ts";

type Finishing = Pick<Backend, "finishGrad" | "finishGradRows">;
type Convolving = Pick<Backend, "convolve" | "convolveRows" | "convolveGrad">;

/** Graph convolution in one launch, and its gradients. A device that binds too few buffers for it has only the last of these. */
export function convolve(gpu: Gpu, parts: Pick<Backend, "rowDots" | "gatherRows">): Finishing & Partial<Convolving> {
  const finishing: Finishing = { finishGrad: finishGrad(gpu), finishGradRows: finishGradRows(gpu) };
  if (!bindsConvolution(gpu)) return finishing;
  const convolve = allRows(gpu);
  return {
    ...finishing,
    convolve,
    convolveRows: chosenRows(gpu, { convolve, gatherRows: parts.gatherRows }),
    convolveGrad: convolveGrad(gpu, { convolve, rowDots: parts.rowDots }),
  };
}

function allRows(gpu: Gpu): Backend["convolve"] {
  return ({ out, graph, X, cols, scale, finish: { bias, relu = false } = {} }) => {
    const name = "convolve";
    const { numRows } = graph.A;
    const edges = edgesOf(gpu, name, graph, scale);
    const y = gpu.floats(name, "out", out, numRows * cols);
    const x = gpu.floats(name, "X", X, numRows * cols);
    const by = gpu.floats(name, "scale.by", scale.by, numRows);
    const added = gpu.floatsOrNone(name, "bias", bias, cols);
    const from = gatherWindows(gpu, x, numRows, cols);
    overSparseRows(gpu, {
      with: [edges.file, "convolve-all-rows", "convolve-store"],
      constants: { ...edges.constants, WINDOWS: from.rest ? 2 : 1 },
      rows: numRows,
      cols,
      sharing: unevenRows(edges.most, numRows, cols),
      piece: (begin, count) => ({
        bind: {
          ...edges.bind(begin, count),
          out: y.window(begin * cols, count * cols),
          X: from.X,
          rest: from.rest,
          scale: by,
          bias: added,
        },
        params: { split: from.split, offset: begin, finish: finishBits({ bias: added, relu }) },
      }),
    });
  };
}

/** Some rows alone; or all of them and then some, where they are gathered from more than a kernel sees at once. */
function chosenRows(
  gpu: Gpu,
  { convolve, gatherRows }: Pick<Backend, "convolve" | "gatherRows">,
): Backend["convolveRows"] {
  return ({ out, rows, graph, X, cols, scale, finish = {} }) => {
    const name = "convolveRows";
    const { numRows } = graph.A;
    const { bias, relu = false } = finish;
    const at = gpu.ints(name, "rows", rows);
    const edges = edgesOf(gpu, name, graph, scale);
    const y = gpu.floats(name, "out", out, at.length * cols);
    const x = gpu.floats(name, "X", X, numRows * cols);
    if (gatherWindows(gpu, x, numRows, cols).rest) {
      gpu.borrow({ all: { f32: numRows * cols } }, ({ all }) => {
        convolve({ out: all, graph, X, cols, scale, finish });
        gatherRows(out, all, rows, cols);
      });
      return;
    }
    const by = gpu.floats(name, "scale.by", scale.by, numRows);
    const added = gpu.floatsOrNone(name, "bias", bias, cols);
    const entries = (edges.most * at.length) / Math.max(numRows, 1);
    overSparseRows(gpu, {
      with: [edges.file, "convolve-chosen-rows", "convolve-store"],
      constants: edges.constants,
      rows: at.length,
      cols,
      sharing: unevenRows(entries, at.length, cols),
      piece: (begin, count) => ({
        bind: {
          ...edges.bind(0, numRows),
          out: y.window(begin * cols, count * cols),
          X: x,
          scale: by,
          rows: at.window(begin, count),
          bias: added,
        },
        params: { finish: finishBits({ bias: added, relu }) },
      }),
    });
  };
}
