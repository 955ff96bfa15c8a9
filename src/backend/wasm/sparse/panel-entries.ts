import type { Engine } from "../engine/engine.ts";

/** Columns of a panel, as `assembly/sparse/panel.ts` has it. */
export const PANEL = 32;

/** Addresses of a sparse matrix, `values` 0 where all are 1. */
interface CsrAddresses {
  readonly rows: number;
  readonly rowPtr: number;
  readonly colIdx: number;
  readonly values: number;
  readonly entries: number;
}

/** Addresses of a sparse matrix in the form that products with panels read. */
export interface PanelMatrix {
  readonly rowPtr: number;
  readonly rowEnds: number;
  readonly entries: number;
}

/** Hands `use` a sparse matrix in the form that products with panels read. */
export function withPanelEntries<T>(
  engine: Engine,
  { rows, rowPtr, colIdx, values, entries }: CsrAddresses,
  use: (matrix: PanelMatrix) => T,
): T {
  return engine.borrow("i32", rows, (_, rowEnds) =>
    engine.borrow("f32", 2 * entries, (_, pairs) => {
      engine.call("panelEntries", rowEnds, pairs, rows, rowPtr, colIdx, values);
      return use({ rowPtr, rowEnds, entries: pairs });
    }),
  );
}
