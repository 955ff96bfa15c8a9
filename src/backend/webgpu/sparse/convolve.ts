import type { Backend } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import { finishBits } from "../shared/finish-bits.ts";
import { inColumnPanels } from "./column-panel.ts";
import { convolveGrad } from "./convolve-grad.ts";
import { bindsConvolution, edgesOf } from "./edges.ts";
import { finishGrad, finishGradRows } from "./finish-grad.ts";
import type { RowGathering } from "./gathered-rows.ts";
import { overSparseRows, unevenRows } from "./sparse-rows.ts";

type Finishing = Pick<Backend, "finishGrad" | "finishGradRows">;
type Convolving = Pick<Backend, "convolve" | "convolveRows" | "convolveGrad">;

/** Graph convolution in one launch, and its gradients. A device with too few bindings gets only `finishGrad(Rows)`. */
export function convolve(
  gpu: Gpu,
  gathering: RowGathering,
  { rowDots }: Pick<Backend, "rowDots">,
): Finishing & Partial<Convolving> {
  const finishing: Finishing = { finishGrad: finishGrad(gpu), finishGradRows: finishGradRows(gpu) };
  if (!bindsConvolution(gpu)) return finishing;
  const convolve = allRows(gpu, gathering);
  return {
    ...finishing,
    convolve,
    convolveRows: chosenRows(gpu, gathering),
    convolveGrad: convolveGrad(gpu, gathering, { convolve, rowDots }),
  };
}

function allRows(gpu: Gpu, gathering: RowGathering): Backend["convolve"] {
  const convolve: Backend["convolve"] = ({ out, graph, X, cols, scale, finish: { bias, relu = false } = {} }) => {
    const name = "convolve";
    const { numRows } = graph.A;
    const edges = edgesOf(gpu, name, graph, scale);
    const y = gpu.floats(name, "out", out, numRows * cols);
    const x = gpu.floats(name, "X", X, numRows * cols);
    const by = gpu.floats(name, "scale.by", scale.by, numRows);
    const added = gpu.floatsOrNone(name, "bias", bias, cols);
    const gathers = { rows: numRows, cols, entries: edges.most };
    if (gathering.windows([x], gathers) > 2) {
      const product = { out: y, outRows: numRows, X: x, rows: numRows, cols, bias: added, accumulate: false };
      inColumnPanels(gpu, product, ({ bias, ...panel }) =>
        convolve({ ...panel, graph, scale, finish: { bias, relu } }),
      );
      return;
    }
    const from = gathering.from(x, gathers);
    const { total, put, given } = from.vectors;
    overSparseRows(gpu, {
      with: [edges.file, from.file, "convolve-all-rows", "convolve-store", total, put, given],
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
          given: added,
        },
        params: { ...from.params, offset: begin, finish: finishBits({ bias: added, relu }) },
      }),
    });
  };
  return convolve;
}

function chosenRows(gpu: Gpu, gathering: RowGathering): Backend["convolveRows"] {
  const convolveRows: Backend["convolveRows"] = ({
    out,
    rows,
    graph,
    X,
    cols,
    scale,
    finish: { bias, relu = false } = {},
  }) => {
    const name = "convolveRows";
    const { numRows } = graph.A;
    const at = gpu.ints(name, "rows", rows);
    const edges = edgesOf(gpu, name, graph, scale);
    const y = gpu.floats(name, "out", out, at.length * cols);
    const x = gpu.floats(name, "X", X, numRows * cols);
    const entries = (edges.most * at.length) / Math.max(numRows, 1);
    const gathers = { rows: numRows, cols, entries };
    const by = gpu.floats(name, "scale.by", scale.by, numRows);
    const added = gpu.floatsOrNone(name, "bias", bias, cols);
    if (gathering.windows([x], gathers) > 1) {
      const product = { out: y, outRows: at.length, X: x, rows: numRows, cols, bias: added, accumulate: false };
      inColumnPanels(gpu, product, ({ bias, ...panel }) =>
        convolveRows({ ...panel, rows, graph, scale, finish: { bias, relu } }),
      );
      return;
    }
    const from = gathering.from(x, gathers);
    const { total, put, given } = from.vectors;
    overSparseRows(gpu, {
      with: [edges.file, from.file, "convolve-chosen-rows", "convolve-store", total, put, given],
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
          given: added,
        },
        params: { ...from.params, finish: finishBits({ bias: added, relu }) },
      }),
    });
  };
  return convolveRows;
}
