import { check, ShapeError } from "../../core/errors.ts";
import type { TopKRowsArguments } from "../backend.ts";
import { floats, ints } from "./storage.ts";
import { descending } from "./top-k.ts";

export function topKRows({ columns, values, X, rows, cols, k }: TopKRowsArguments): void {
  check(k <= cols, () => `topKRows: ${k} of ${cols} columns asked for`, ShapeError);
  const j = ints("topKRows", "columns", columns, rows * k);
  const y = floats("topKRows", "values", values, rows * k);
  const x = floats("topKRows", "X", X, rows * cols);
  for (let i = 0; i < rows; i++) {
    const row = x.subarray(i * cols, (i + 1) * cols);
    const kept = descending(row).subarray(0, k).sort();
    j.set(kept, i * k);
    for (const [t, column] of kept.entries()) y[i * k + t] = row[column];
  }
}
