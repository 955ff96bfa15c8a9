import type { Backend } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import { perSparseRows } from "./sparse.ts";

/** What rows pull from others, and what they get as holders of medians. */
export function pullRows(gpu: Gpu, { gatherRows }: Pick<Backend, "gatherRows">): Pick<Backend, "pullRows"> {
  return {
    pullRows(dX, S, { held, ...from }, cols, accumulate = false) {
      const name = "pullRows";
      const { rowPtr, colIdx } = gpu.csr(name, S);
      const y = gpu.floats(name, "dX", dX, S.numRows * cols);
      const x = gpu.floats(name, "X", from.X, S.numRows * cols);
      const size = S.numCols * cols;
      const g = gpu.floats(name, "G", from.G, size);
      const m = gpu.floats(name, "M", from.M, size);
      const grad = gpu.floatsOrNone(name, "held.grad", held?.grad, size);
      const holder = held ? gpu.ints(name, "held.at", held.at, size) : null;
      const order = gpu.ints(name, "order", from.order);
      const terms = gpu.floats(name, "terms", from.terms, 2 * order.length);
      const flags = { ACCUMULATE: Number(accumulate), HELD: Number(grad !== null) };
      gpu.borrow([["f32", 2 * order.length]], (turned) => {
        gatherRows(turned, terms, order, 2);
        perSparseRows(gpu, ["pull-entries"], flags, S.numRows, cols, (begin, count) => {
          const [to, own] = [y, x].map((rows) => rows.window(begin * cols, count * cols));
          const args = [to!, rowPtr.window(begin, count + 1), colIdx, turned, g, m, own!, grad, holder];
          return { args, params: [begin] };
        });
      });
    },
  };
}
