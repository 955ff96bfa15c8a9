import type { Backend, CsrBuffers } from "../../backend.ts";
import { type Engine, GRAIN } from "../engine/engine.ts";
import { type Workspaces, withWorkspaces } from "../engine/workspaces.ts";
import { sddmmPacked, worthPacking } from "../pairs/packed-pairs.ts";
import { PANEL, type PanelMatrix, withPanelEntries } from "./panel-entries.ts";

/** Rows per chunk of a sparse product: few, because degrees are skewed. */
const SPARSE_ROWS = 64;
/** Pairs per chunk of a sampled product; a multiple of four, the group that its kernel treats at once. */
const PAIRS = 512;
/** Products with that many columns, and that many entries per row of X, go panel by panel: packing X pays. */
const PANELS_FROM_COLS = 512;
const PANELS_FROM_ENTRIES = 24;

type Sparse = Required<
  Pick<Backend, "spmm" | "spmmTransposed" | "sddmm" | "rowSums" | "pairSums" | "edgeSoftmax" | "edgeSoftmaxGrad">
>;

/** Rows per chunk of a sparse product: all of a small one. */
export function sparseGrain(entries: number, rows: number, cols: number): number {
  return (entries + rows) * cols < GRAIN ? rows : SPARSE_ROWS;
}

/** Products and sums over the entries of a sparse matrix or the pairs of a block. */
export function sparse(engine: Engine): Sparse {
  /** Hands `use` a matrix as panels read it, and a workspace per thread. */
  const inPanels = (name: string, S: CsrBuffers, use: (matrix: PanelMatrix, workspaces: Workspaces) => void) => {
    withPanelEntries(engine, { rows: S.numRows, ...engine.csr(name, S) }, (matrix) =>
      withWorkspaces(engine, engine.call("spmmPanelBytes", S.numCols), (workspaces) => use(matrix, workspaces)),
    );
  };
  return {
    spmm(out, S, X, cols, accumulate = false) {
      const { rowPtr, colIdx, values, entries } = engine.csr("spmm", S);
      const y = engine.floats("spmm", "out", out, S.numRows * cols);
      const x = engine.floats("spmm", "X", X, S.numCols * cols);
      if (cols >= PANELS_FROM_COLS && entries >= PANELS_FROM_ENTRIES * S.numCols) {
        inPanels("spmm", S, (matrix, workspaces) => {
          const product = [y, S.numRows, S.numCols, ...matrix, x, cols, Number(accumulate)];
          engine.run("spmmPanels", Math.ceil(cols / PANEL), 1, ...product, ...workspaces);
        });
        return;
      }
      const grain = sparseGrain(entries, S.numRows, cols);
      const matrix = [rowPtr, colIdx, values];
      engine.run("spmm", S.numRows, grain, y, ...matrix, x, S.numCols, cols, Number(accumulate));
    },
    spmmTransposed(out, S, X, cols) {
      const name = "spmmTransposed";
      const y = engine.floats(name, "out", out, S.numRows * cols);
      const x = engine.floats(name, "X", X, S.numCols * cols);
      inPanels(name, S, (matrix, workspaces) => {
        const product = [y, S.numRows, S.numCols, ...matrix, x, cols];
        engine.run("spmmPanelsTransposed", Math.ceil(cols / PANEL), 1, ...product, ...workspaces);
      });
    },
    sddmm(out, pairs, P, Q, cols, { symmetric = false, accumulate = false } = {}) {
      const { sources, targets } = engine.pairs("sddmm", pairs);
      const y = engine.floats("sddmm", "out", out, pairs.length);
      const p = engine.floats("sddmm", "P", P, pairs.numNodes * cols);
      const q = engine.floats("sddmm", "Q", Q, pairs.numNodes * cols);
      if (symmetric && worthPacking(pairs, cols)) {
        sddmmPacked(engine, pairs, y, [{ p, q, cols }], 0, accumulate);
        return;
      }
      const flags = [Number(symmetric), Number(accumulate)];
      engine.run("sddmm", pairs.length, PAIRS, y, sources, targets, p, q, pairs.numNodes, cols, ...flags);
    },
    rowSums(out, S, accumulate = false) {
      const { rowPtr, values } = engine.csr("rowSums", S);
      const y = engine.floats("rowSums", "out", out, S.numRows);
      engine.run("rowSums", S.numRows, 4096, y, rowPtr, values, Number(accumulate));
    },
    pairSums(out, pairs, x, ends, accumulate = false, signs = null) {
      const { sources, targets } = engine.pairs("pairSums", pairs);
      const y = engine.floats("pairSums", "out", out, pairs.length);
      const values = engine.floats("pairSums", "x", x, pairs.numNodes);
      const number = ends === "source" ? 1 : ends === "target" ? 2 : 3;
      const sign = engine.floatsOrNone("pairSums", "signs", signs, pairs.length);
      engine.run("pairSums", pairs.length, GRAIN, y, sources, targets, values, number, Number(accumulate));
      if (sign) engine.run("mul", pairs.length, GRAIN, y, y, sign);
    },
    edgeSoftmax(out, S, x) {
      const { rowPtr, entries } = engine.csr("edgeSoftmax", S);
      const y = engine.floats("edgeSoftmax", "out", out, entries);
      engine.run("edgeSoftmax", S.numRows, 512, y, rowPtr, engine.floats("edgeSoftmax", "x", x, entries));
    },
    edgeSoftmaxGrad(dx, S, dy, y) {
      const name = "edgeSoftmaxGrad";
      const { rowPtr, entries } = engine.csr(name, S);
      const to = engine.floats(name, "dx", dx, entries);
      const from = engine.floats(name, "dy", dy, entries);
      engine.run(name, S.numRows, 512, to, rowPtr, from, engine.floats(name, "y", y, entries));
    },
  };
}
