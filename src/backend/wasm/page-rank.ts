import type { Backend, Buffer } from "../backend.ts";
import type { Engine } from "./engine.ts";
import { planRows, type RowPlan } from "./independent-rows.ts";
import type { WasmBuffer } from "./memory.ts";
import { PANEL, withPanelEntries } from "./panel-entries.ts";
import { sumParts } from "./sum-parts.ts";
import { withUploads } from "./uploads.ts";
import { withWorkspaces } from "./workspaces.ts";

/** Rows per chunk where a row is the sum of a few others. */
const COMBINED_ROWS = 16;

/**
 * PageRank by Chebyshev iteration, all iterations of a panel of columns in one go: the panel never leaves the cache of its
 * thread. Only rows that do not follow from others are iterated.
 */
export function pageRank(engine: Engine): Required<Pick<Backend, "pageRank">> {
  return {
    pageRank(out, parts, degrees, { alpha, chebyshev }) {
      const n = parts[0]!.numRows;
      const y = engine.floats("pageRank", "out", out, n * n);
      engine.floats("pageRank", "degrees", degrees, n);
      const degree = (engine.heap.values(degrees as WasmBuffer) as Float32Array).slice(0, n);
      const S = sumParts(engine, "pageRank", parts);
      const plan = planRows(S, degree, alpha);
      const last = chebyshev.at(-1)!;
      const vectors = [
        degree.map((d) => 2 / d),
        degree.map((d) => alpha * Math.sqrt(d)),
        degree.map((d) => 1 / (last * Math.sqrt(d))),
        Float32Array.from(chebyshev.slice(0, -1), (value, k) => ((k === 0 ? 1 : 2) * value) / (1 - alpha)),
      ];
      withUploads(engine, [S.rowPtr, S.colIdx, S.values, plan.solved, ...vectors], (addresses) => {
        const [rowPtr, colIdx, values, columns, inScale, start, outScale, factors] = addresses as Eight;
        const csr = { rows: n, rowPtr, colIdx, values, entries: S.colIdx.length };
        withPanelEntries(engine, csr, inScale, (matrix) =>
          withWorkspaces(engine, engine.call("chebyshevBytes", n), (workspaces) => {
            const count = plan.solved.length;
            const system = [n, columns, count, ...matrix, start, factors, chebyshev.length - 1, outScale];
            engine.run("chebyshevColumns", Math.ceil(count / PANEL), 1, y, ...system, ...workspaces);
          }),
        );
      });
      combineRows(engine, out, n, plan);
    },
  };
}

type Eight = [number, number, number, number, number, number, number, number];

/** The rows that follow from others: a sparse product with the solved rows, in place. */
function combineRows(engine: Engine, out: Buffer, n: number, { combined, own }: RowPlan): void {
  const matrix = engine.heap.values(out as WasmBuffer);
  for (let i = 0; i < n; i++) {
    if (own[i] === 0) continue;
    matrix.fill(0, i * n, (i + 1) * n);
    matrix[i * n + i] = own[i]!;
  }
  const { rowPtr, colIdx, values } = combined;
  const y = engine.floats("pageRank", "out", out);
  withUploads(engine, [rowPtr, colIdx, values], (addresses) => {
    engine.run("spmm", n, COMBINED_ROWS, y, ...addresses, y, n, 1);
  });
}
