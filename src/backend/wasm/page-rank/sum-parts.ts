import { check, ShapeError } from "../../../core/errors.ts";
import type { CsrBuffers } from "../../backend.ts";
import { type HostSum, sumRows } from "../../sum-rows.ts";
import type { Engine } from "../engine/engine.ts";
import type { WasmBuffer } from "../engine/memory.ts";

/** The sum of square sparse matrices, in host arrays. The host adds them up: kernels wait for the sum anyway. */
export function sumParts(engine: Engine, kernel: string, parts: readonly CsrBuffers[]): HostSum {
  const n = parts[0].numRows;
  check(
    parts.every(({ numRows, numCols }) => numRows === n && numCols === n),
    () => `${kernel}: all parts must be ${n} × ${n}`,
    ShapeError,
  );
  const { heap } = engine;
  const views = parts.map((part) => {
    engine.csr(kernel, part); // checks lengths
    return {
      rowPtr: heap.values(part.rowPtr as WasmBuffer),
      colIdx: heap.values(part.colIdx as WasmBuffer),
      values: part.values && heap.values(part.values as WasmBuffer),
    };
  });
  return sumRows(n, views);
}
