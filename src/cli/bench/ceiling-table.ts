import type { Ceilings } from "../../bench/ceilings.ts";
import { right } from "../../experiment/table-column.ts";
import { formatTable } from "../table.ts";

export function ceilingTable(ceilings: readonly Ceilings[]): string {
  const giga = (rate: number, unit: string) => `${(rate / 1e9).toFixed(1)} ${unit}`;
  const columns = [
    "threads",
    "stream",
    "gather of 1 KiB rows",
    "in shared cache",
    "in own cache",
    "multiply-add",
    "random",
  ];
  const rows = ceilings.map(({ threads, stream, gather, shared, cached, flops, words }) => [
    String(threads),
    giga(stream, "GB/s"),
    giga(gather, "GB/s"),
    giga(shared, "GB/s"),
    giga(cached, "GB/s"),
    giga(flops, "GFLOP/s"),
    `${(words / 1e6).toFixed(0)} Mword/s`,
  ]);
  const isNew = (row: string[], i: number) => rows[i - 1]?.join() !== row.join(); // a GPU is measured once
  return formatTable(columns.map(right), rows.filter(isNew));
}
