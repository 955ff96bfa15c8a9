import type { Backend, CsrBuffers } from "../../backend.ts";
import { type Engine, GRAIN } from "../engine/engine.ts";
import { withWorkspaces } from "../engine/workspaces.ts";
import { PANEL, type PanelMatrix, withPanelEntries } from "./panel-entries.ts";

/** Rows per chunk of a sparse product: few, because degrees are skewed. */
const SPARSE_ROWS = 64;
/** Rows per chunk of `rowSums`, where a row costs little. */
const SUMMED_ROWS = 4096;
/** From this many columns and this many entries per row of X on, a product goes panel by panel: packing X pays. */
const PANELS_FROM_COLS = 512;
const PANELS_FROM_ENTRIES = 24;

/** Rows per chunk of a sparse product; a small product is a single chunk. */
export function sparseGrain(entries: number, rows: number, cols: number): number {
  return (entries + rows) * cols < GRAIN ? rows : SPARSE_ROWS;
}

export function spmm(engine: Engine): Backend["spmm"] {
  return (out, S, X, cols, accumulate = false) => {
    const { numRows, numCols } = S;
    const { rowPtr, colIdx, values, entries } = engine.csr("spmm", S);
    const y = engine.floats("spmm", "out", out, numRows * cols);
    const x = engine.floats("spmm", "X", X, numCols * cols);
    const add = Number(accumulate);
    if (cols >= PANELS_FROM_COLS && entries >= PANELS_FROM_ENTRIES * numCols) {
      inPanels(engine, "spmm", S, ({ rowPtr, rowEnds, entries }, workspaces) => {
        const product = [y, numRows, numCols, rowPtr, rowEnds, entries, x, cols, add];
        engine.run("spmmPanels", Math.ceil(cols / PANEL), 1, ...product, workspaces);
      });
      return;
    }
    const grain = sparseGrain(entries, numRows, cols);
    engine.run("spmm", numRows, grain, y, rowPtr, colIdx, values, x, numCols, cols, add);
  };
}

export function spmmTransposed(engine: Engine): Backend["spmmTransposed"] {
  return (out, S, X, cols) => {
    const name = "spmmTransposed";
    const { numRows, numCols } = S;
    const y = engine.floats(name, "out", out, numRows * cols);
    const x = engine.floats(name, "X", X, numCols * cols);
    inPanels(engine, name, S, ({ rowPtr, rowEnds, entries }, workspaces) => {
      const product = [y, numRows, numCols, rowPtr, rowEnds, entries, x, cols];
      engine.run("spmmPanelsTransposed", Math.ceil(cols / PANEL), 1, ...product, workspaces);
    });
  };
}

export function rowSums(engine: Engine): Backend["rowSums"] {
  return (out, S, accumulate = false) => {
    const { rowPtr, values } = engine.csr("rowSums", S);
    const y = engine.floats("rowSums", "out", out, S.numRows);
    engine.run("rowSums", S.numRows, SUMMED_ROWS, y, rowPtr, values, Number(accumulate));
  };
}

/** Hands `use` a matrix in the form that products with panels read, and the record of a workspace per thread. */
function inPanels(
  engine: Engine,
  name: string,
  S: CsrBuffers,
  use: (matrix: PanelMatrix, workspaces: number) => void,
): void {
  withPanelEntries(engine, { rows: S.numRows, ...engine.csr(name, S) }, (matrix) => {
    const bytes = engine.call("spmmPanelBytes", S.numCols);
    withWorkspaces(engine, { bytes }, ({ record }) => use(matrix, record));
  });
}
