import { check } from "../../../core/errors.ts";
import type { Backend } from "../../backend.ts";
import { type Engine, GRAIN } from "../engine/engine.ts";
import type { WasmBuffer } from "../engine/memory.ts";
import { withUploads } from "../engine/uploads.ts";
import { withWorkspaces } from "../engine/workspaces.ts";
import { sumParts } from "./sum-parts.ts";

/** Nodes per chunk: few, because some rows visit many times as many nodes as others. */
const NODES = 16;

/** PageRank by push on a weighted graph, and what its gradient needs: both row by row, with a dense vector per thread. */
export function localPageRank(engine: Engine) {
  return { localPageRank: pushLocally(engine), sandwich: sandwich(engine) };
}

function pushLocally(engine: Engine): Backend["localPageRank"] {
  return (out, parts, degrees, { alpha, epsilon, support, k, rank }) => {
    const name = "localPageRank";
    const n = parts[0].numRows;
    check(k <= support, () => `${name}: k, ${k}, must be at most the support, ${support}`);
    const columns = engine.ints(name, "columns", out.columns, n * support);
    const values = engine.floats(name, "values", out.values, n * support);
    const topColumns = engine.ints(name, "topColumns", out.topColumns, n * k);
    const topValues = engine.floats(name, "topValues", out.topValues, n * k);
    const degreesAt = engine.floats(name, "degrees", degrees, n);
    const S = sumParts(engine, name, parts);
    const roots = (engine.heap.values(degrees as WasmBuffer) as Float32Array).slice(0, n).map(Math.sqrt);
    const rows = [columns, values, support, topColumns, topValues, k];
    const options = [n, alpha, epsilon, Number(rank === "symmetric")];
    withUploads(engine, { rowPtr: S.rowPtr, colIdx: S.colIdx, weights: S.values, roots }, (at) => {
      const graph = [at.rowPtr, at.colIdx, at.weights, degreesAt, at.roots];
      withWorkspaces(engine, { bytes: engine.call("localPageRankBytes", n) }, (workspaces) => {
        engine.run(name, n, NODES, ...rows, ...graph, ...options, workspaces.record);
      });
    });
  };
}

function sandwich(engine: Engine): Backend["sandwich"] {
  return (out, diagonal, pairs, P, K) => {
    const name = "sandwich";
    const n = P.numRows;
    const { length } = pairs;
    check(P.values !== null && K.values !== null, () => `${name}: P and K must have values`);
    const { sources, targets } = engine.pairs(name, pairs);
    const p = engine.csr(name, P);
    const k = engine.csr(name, K);
    const y = engine.floats(name, "out", out, length);
    const d = engine.floats(name, "diagonal", diagonal, n);
    const factors = [p.rowPtr, p.colIdx, p.values, k.rowPtr, k.colIdx, k.values];
    withGroups(engine, sources, length, n, (bySource) =>
      withGroups(engine, targets, length, n, (byTarget) =>
        engine.borrow("f32", length, (_, mirrored) =>
          withWorkspaces(engine, { bytes: 4 * P.numCols }, (workspaces) => {
            const groups = [bySource.begins, bySource.order, byTarget.begins, byTarget.order];
            const ends = [sources, targets, ...groups];
            engine.run(name, n, NODES, y, mirrored, d, ...ends, ...factors, P.numCols, workspaces.record);
            engine.run("affine2", length, GRAIN, y, 1, y, 1, mirrored, 0);
          }),
        ),
      ),
    );
  };
}

/** Addresses of the pair numbers, grouped by one of their nodes, and of the place where each node's group begins. */
interface Groups {
  readonly begins: number;
  readonly order: number;
}

/** Hands `use` the pairs grouped by `nodes`, the address of one node per pair. */
function withGroups<T>(engine: Engine, nodes: number, length: number, n: number, use: (groups: Groups) => T): T {
  return engine.borrow("i32", n + 1, (_, begins) =>
    engine.borrow("i32", length, (_, order) => {
      engine.call("groupIndices", begins, order, nodes, length, n);
      return use({ begins, order });
    }),
  );
}
