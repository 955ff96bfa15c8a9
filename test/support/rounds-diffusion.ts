import type { Csr } from "../../src/graph/csr.ts";
import { rowDegrees } from "../../src/graph/degrees.ts";
import { neighboursOf } from "../../src/graph/push/neighbours.ts";
import { pushRounds } from "../../src/graph/push/push-rounds.ts";
import { stackRows, topKRow } from "../../src/graph/push/top-k-rows.ts";
import { addSelfLoops } from "../../src/graph/self-loops.ts";
import { divideByRowSums, normaliseByColumnSums, normaliseRows } from "../../src/ppr/normalise.ts";
import type { PushRowsOptions } from "../../src/ppr/push-rows.ts";

/** `pushDiffusion` with the rows that a GPU pushes, in rounds. */
export function roundsDiffusion(A: Csr, options: PushRowsOptions): Csr {
  const withLoops = addSelfLoops(A);
  const nodes = Int32Array.from({ length: A.numRows }, (_, v) => v);
  const rows = Array.from(nodes, (v) => topKRow(pushRounds(v, neighboursOf(withLoops), options), options.k));
  const walks = stackRows(rows, A.numRows);
  return normaliseByColumnSums(divideByRowSums(normaliseRows(walks, nodes, rowDegrees(withLoops), "sym")));
}
