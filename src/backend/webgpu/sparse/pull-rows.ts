import type { Backend } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import { rowVectors } from "../shared/row-vectors.ts";
import { overSparseRows } from "./sparse-rows.ts";

/** Gradients that rows gather from others, and those that they receive because a median is their value. */
export function pullRows(gpu: Gpu, { gatherRows }: Pick<Backend, "gatherRows">): Pick<Backend, "pullRows"> {
  return {
    pullRows(dX, S, { held, ...from }, cols, accumulate = false) {
      const name = "pullRows";
      const { rowPtr, colIdx } = gpu.csr(name, S);
      const dx = gpu.floats(name, "dX", dX, S.numRows * cols);
      const x = gpu.floats(name, "X", from.X, S.numRows * cols);
      const size = S.numCols * cols;
      const G = gpu.floats(name, "G", from.G, size);
      const M = gpu.floats(name, "M", from.M, size);
      const heldGrad = gpu.floatsOrNone(name, "held.grad", held?.grad, size);
      const holder = held ? gpu.ints(name, "held.at", held.at, size) : null;
      const order = gpu.ints(name, "order", from.order);
      const terms = gpu.floats(name, "terms", from.terms, 2 * order.length);
      gpu.borrow({ inOrder: { f32: 2 * order.length } }, ({ inOrder }) => {
        gatherRows(inOrder, terms, order, 2);
        overSparseRows(gpu, {
          with: ["pull-entries"],
          constants: { I: rowVectors(cols).I, ACCUMULATE: Number(accumulate), HELD: Number(heldGrad !== null) },
          rows: S.numRows,
          cols,
          piece: (begin, count) => ({
            bind: {
              dX: dx.window(begin * cols, count * cols),
              rowPtr: rowPtr.window(begin, count + 1),
              colIdx,
              terms: inOrder,
              G,
              M,
              X: x.window(begin * cols, count * cols),
              heldGrad,
              holder,
            },
            params: { offset: begin },
          }),
        });
      });
    },
  };
}
