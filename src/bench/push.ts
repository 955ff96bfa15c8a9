import { createWasm } from "../backend/wasm/wasm.ts";
import { Rng } from "../core/rng.ts";
import { generateShape } from "../graph/generate-shape.ts";
import { neighboursOf } from "../graph/push/neighbours.ts";
import { push } from "../graph/push/push.ts";
import { DenseWorkspace } from "../graph/push/push-workspace.ts";
import { topKRow } from "../graph/push/top-k-rows.ts";
import { pushRows } from "../ppr/push-rows.ts";

/** How many rows of personalised PageRank are pushed per second on the arxiv shape. */
export interface PushResult {
  readonly alpha: number;
  readonly epsilon: number;
  readonly rowsPerSecond: number;
  readonly rowsPerSecondPerThread: number;
}

const ROWS = 2000;
/** Runs over these rows, a tenth of a second each; the best counts. */
const RUNS = 7;
const CHECKED = 5;

/** The setting of GDC on arxiv: restart .1, tolerance 1e-4, the 64 largest entries. A few rows are checked. */
export async function benchPush(threads: number): Promise<PushResult> {
  const backend = await createWasm({ threads });
  const { adjacency } = generateShape("arxiv");
  const rng = new Rng(3);
  const nodes = Int32Array.from({ length: ROWS }, () => rng.integer(adjacency.numRows));
  const options = { alpha: 0.1, epsilon: 1e-4, k: 64 };
  let rows = pushRows(adjacency, nodes.subarray(0, 100), options, backend); // warms up
  let seconds = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
    const begin = performance.now();
    rows = pushRows(adjacency, nodes, options, backend);
    seconds = Math.min(seconds, (performance.now() - begin) / 1000);
  }
  const rowsPerSecond = ROWS / seconds;
  await backend.close();
  const work = new DenseWorkspace(adjacency.numRows);
  for (let t = 0; t < CHECKED; t++) {
    const expected = topKRow(push(nodes[t], neighboursOf(adjacency), options, work), options.k);
    const got = rows.values!.subarray(rows.rowPtr[t], rows.rowPtr[t + 1]);
    const same = expected.values.length === got.length && got.every((value, e) => value === expected.values[e]);
    if (!same) throw new Error(`bench: the pushed row of node ${nodes[t]} is wrong`);
  }
  const { alpha, epsilon } = options;
  return { alpha, epsilon, rowsPerSecond, rowsPerSecondPerThread: rowsPerSecond / threads };
}
