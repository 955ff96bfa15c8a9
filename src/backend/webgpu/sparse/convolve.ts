import type { Backend } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import { finishBits } from "../shared/finish-bits.ts";
import { convolveGrad } from "./convolve-grad.ts";
import { bindsConvolution, edgesOf } from "./edges.ts";
import { finishGrad, finishGradRows } from "./finish-grad.ts";
import type { RowGathering } from "./gathered-rows.ts";
import { overSparseRows, unevenRows } from "./sparse-rows.ts";

type Finishing = Pick<Backend, "finishGrad" | "finishGradRows">;
type Convolving = Pick<Backend, "convolve" | "convolveRows" | "convolveGrad">;

/** Graph convolution in one launch, and its gradients. A device that binds too few buffers for it has only the last of these. */
export function convolve(
  gpu: Gpu,
  gathering: RowGathering,
  parts: Pick<Backend, "rowDots" | "gatherRows">,
): Finishing & Partial<Convolving> {
  const finishing: Finishing = { finishGrad: finishGrad(gpu), finishGradRows: finishGradRows(gpu) };
  if (!bindsConvolution(gpu)) return finishing;
  const convolve = allRows(gpu, gathering);
  return {
    ...finishing,
    convolve,
    convolveRows: chosenRows(gpu, gathering, { convolve, gatherRows: parts.gatherRows }),
    convolveGrad: convolveGrad(gpu, gathering, { convolve, rowDots: parts.rowDots }),
  };
}

function allRows(gpu: Gpu, gathering: RowGathering): Backend["convolve"] {
  return ({ out, graph, X, cols, scale, finish: { bias, relu = false } = {} }) => {
    const name = "convolve";
    const { numRows } = graph.A;
    const edges = edgesOf(gpu, name, graph, scale);
    const y = gpu.floats(name, "out", out, numRows * cols);
    const x = gpu.floats(name, "X", X, numRows * cols);
    const by = gpu.floats(name, "scale.by", scale.by, numRows);
    const added = gpu.floatsOrNone(name, "bias", bias, cols);
    const from = gathering.from(x, { rows: numRows, cols, entries: edges.most });
    overSparseRows(gpu, {
      with: [edges.file, from.file, "convolve-all-rows", "convolve-store", from.vectors.total],
      constants: edges.constants,
      rows: numRows,
      cols,
      vectors: from.vectors,
      sharing: unevenRows(edges.most, numRows, from.vectors),
      piece: (begin, count) => ({
        bind: {
          ...edges.bind(begin, count),
          ...from.bind,
          out: y.window(begin * cols, count * cols),
          scale: by,
          bias: added,
        },
        params: { ...from.params, offset: begin, finish: finishBits({ bias: added, relu }) },
      }),
    });
  };
}

/** Some rows alone; or all of them and then some, where they are gathered from more than a kernel sees at once. */
function chosenRows(
  gpu: Gpu,
  gathering: RowGathering,
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
    const entries = (edges.most * at.length) / Math.max(numRows, 1);
    const from = gathering.from(x, { rows: numRows, cols, entries });
    if (!from.isWhole) {
      gpu.borrow({ all: { f32: numRows * cols } }, ({ all }) => {
        convolve({ out: all, graph, X, cols, scale, finish });
        gatherRows(out, all, rows, cols);
      });
      return;
    }
    const by = gpu.floats(name, "scale.by", scale.by, numRows);
    const added = gpu.floatsOrNone(name, "bias", bias, cols);
    overSparseRows(gpu, {
      with: [edges.file, from.file, "convolve-chosen-rows", "convolve-store", from.vectors.total],
      constants: edges.constants,
      rows: at.length,
      cols,
      vectors: from.vectors,
      sharing: unevenRows(entries, at.length, from.vectors),
      piece: (begin, count) => ({
        bind: {
          ...edges.bind(0, numRows),
          ...from.bind,
          out: y.window(begin * cols, count * cols),
          scale: by,
          rows: at.window(begin, count),
          bias: added,
        },
        params: { ...from.params, finish: finishBits({ bias: added, relu }) },
      }),
    });
  };
}
