import type { Buffer, CsrBuffers, LocalPageRankOptions, LocalRows } from "../backend.ts";
import { type HostSum, sumRows } from "../sum-rows.ts";
import { csrArrays } from "./csr.ts";
import { floats, ints } from "./storage.ts";

/** Rows of PageRank by push on a weighted graph, in float64. */
export function localPageRank(
  out: LocalRows,
  parts: readonly CsrBuffers[],
  degrees: Buffer,
  { support, k, rank, ...options }: LocalPageRankOptions,
): void {
  const name = "localPageRank";
  const n = parts[0].numRows;
  const S = sumRows(
    n,
    parts.map((part) => csrArrays(name, part)),
  );
  const deg = floats(name, "degrees", degrees, n);
  const columns = ints(name, "columns", out.columns, n * support);
  const values = floats(name, "values", out.values, n * support);
  const topColumns = ints(name, "topColumns", out.topColumns, n * k);
  const topValues = floats(name, "topValues", out.topValues, n * k);
  for (let u = 0; u < n; u++) {
    const reached = pushWeighted(u, S, deg, options).map(({ node, estimate }, order) => ({
      node,
      order,
      value: (estimate * Math.sqrt(deg[u])) / Math.sqrt(deg[node]),
      key: rank === "walk" ? estimate : estimate / Math.sqrt(deg[node]),
    }));
    const ranked = reached.sort((a, b) => b.key - a.key || a.order - b.order);
    const kept = ranked.slice(0, support).sort((a, b) => a.order - b.order);
    const top = ranked.slice(0, k).sort((a, b) => a.node - b.node);
    for (let t = 0; t < support; t++) columns[u * support + t] = kept[t]?.node ?? u;
    for (let t = 0; t < support; t++) values[u * support + t] = kept[t]?.value ?? 0;
    for (let t = 0; t < k; t++) topColumns[u * k + t] = top[t]?.node ?? u;
    for (let t = 0; t < k; t++) topValues[u * k + t] = top[t]?.value ?? 0;
  }
}

/** Estimates above 0, in the order in which their nodes were reached. */
function pushWeighted(
  source: number,
  { rowPtr, colIdx, values }: HostSum,
  deg: ArrayLike<number>,
  { alpha, epsilon }: { alpha: number; epsilon: number },
): { node: number; estimate: number }[] {
  const reached = new Map<number, { estimate: number; residual: number }>();
  const at = (node: number) => {
    if (!reached.has(node)) reached.set(node, { estimate: 0, residual: 0 });
    return reached.get(node)!;
  };
  at(source).residual = alpha;
  const waiting = new Set([source]); // in the order of insertion
  for (const v of waiting) {
    waiting.delete(v);
    const state = at(v);
    const share = ((1 - alpha) * state.residual) / deg[v];
    state.estimate += state.residual;
    state.residual = 0;
    for (let e = rowPtr[v]; e < rowPtr[v + 1]; e++) {
      const w = colIdx[e];
      const neighbour = at(w);
      neighbour.residual += share * values[e];
      if (neighbour.residual >= alpha * epsilon * deg[w]) waiting.add(w);
    }
  }
  return [...reached].flatMap(([node, { estimate }]) => (estimate > 0 ? [{ node, estimate }] : []));
}
