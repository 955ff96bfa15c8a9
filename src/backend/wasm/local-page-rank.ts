import { check } from "../../core/errors.ts";
import type { Backend } from "../backend.ts";
import type { Engine } from "./engine.ts";
import type { WasmBuffer } from "./memory.ts";
import { sumParts } from "./sum-parts.ts";
import { withUploads } from "./uploads.ts";
import { withWorkspaces } from "./workspaces.ts";

/** Nodes per chunk: few, because some rows visit many times as many nodes as others. */
const NODES = 16;

type Local = Required<Pick<Backend, "localPageRank" | "sandwich">>;

/** PageRank by push on a weighted graph, and what its gradient needs: both row by row, with a dense vector per thread. */
export function localPageRank(engine: Engine): Local {
  return {
    localPageRank(out, parts, degrees, { alpha, epsilon, support, k, rank }) {
      const name = "localPageRank";
      const n = parts[0]!.numRows;
      check(k <= support, () => `${name}: k, ${k}, must be at most the support, ${support}`);
      const columns = engine.ints(name, "columns", out.columns, n * support);
      const values = engine.floats(name, "values", out.values, n * support);
      const topColumns = engine.ints(name, "topColumns", out.topColumns, n * k);
      const topValues = engine.floats(name, "topValues", out.topValues, n * k);
      const deg = engine.floats(name, "degrees", degrees, n);
      const S = sumParts(engine, name, parts);
      const roots = (engine.heap.values(degrees as WasmBuffer) as Float32Array).slice(0, n).map(Math.sqrt);
      withUploads(engine, [S.rowPtr, S.colIdx, S.values, roots], ([rowPtr, colIdx, weights, rootsAt]) => {
        withWorkspaces(engine, engine.call("localPageRankBytes", n), (workspaces) => {
          const rows = [columns, values, support, topColumns, topValues, k];
          const graph = [rowPtr!, colIdx!, weights!, deg, rootsAt!, n, alpha, epsilon, Number(rank === "symmetric")];
          engine.run(name, n, NODES, ...rows, ...graph, ...workspaces);
        });
      });
    },
    sandwich(out, diagonal, pairs, P, K) {
      const name = "sandwich";
      const n = P.numRows;
      check(P.values !== null && K.values !== null, () => `${name}: P and K must have values`);
      const { sources, targets } = engine.pairs(name, pairs);
      const [p, k] = [engine.csr(name, P), engine.csr(name, K)];
      const y = [engine.floats(name, "out", out, pairs.length), engine.floats(name, "diagonal", diagonal, n)];
      const factors = [p.rowPtr, p.colIdx, p.values, k.rowPtr, k.colIdx, k.values];
      withWorkspaces(engine, 4 * P.numCols, (workspaces) => {
        engine.run(name, n, NODES, ...y, sources, targets, pairs.length, ...factors, P.numCols, ...workspaces);
      });
    },
  };
}
