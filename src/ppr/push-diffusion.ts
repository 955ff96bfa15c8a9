import type { Backend } from "../backend/backend.ts";
import type { Csr } from "../graph/csr.ts";
import { rowDegrees } from "../graph/degrees.ts";
import { addSelfLoops } from "../graph/self-loops.ts";
import { divideByRowSums, normaliseByColumnSums, normaliseRows } from "./normalise.ts";
import { type PushRowsOptions, pushRows } from "./push-rows.ts";

/**
 * The propagation matrix of GDC (Gasteiger et al. 2019) by push: PageRank of A + I, the k largest entries of each row,
 * scaled to the symmetric version, divided by row sums, then normalised by column sums.
 */
export function pushDiffusion(A: Csr, options: PushRowsOptions, backend?: Backend): Csr {
  const withLoops = addSelfLoops(A);
  const nodes = Int32Array.from({ length: A.numRows }, (_, v) => v);
  const walks = pushRows(withLoops, nodes, options, backend);
  return normaliseByColumnSums(divideByRowSums(normaliseRows(walks, nodes, rowDegrees(withLoops), "sym")));
}
