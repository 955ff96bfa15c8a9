import { formatBytes } from "../experiment/readable-numbers.ts";
import type { Column } from "../experiment/table-column.ts";

/** Rows of text under their titles, each column as wide as its widest cell, two spaces between columns. */
export function formatTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map(({ title }, c) => Math.max(title.length, ...rows.map((row) => row[c].length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, c) => (columns[c].align === "right" ? cell.padStart(widths[c]) : cell.padEnd(widths[c])))
      .join("  ")
      .trimEnd();
  return [
    line(columns.map(({ title }) => title)),
    line(widths.map((width) => "-".repeat(width))),
    ...rows.map(line),
  ].join("\n");
}

/** A fact per line with its name in front, for results that are a single row. */
export function formatFacts(facts: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(facts).map((name) => name.length));
  return Object.entries(facts)
    .map(([name, value]) => `${name.padEnd(width)}  ${value}`)
    .join("\n");
}

/** What a run took: the kernels' own memory, and that of the whole process, which holds the graph as well. */
export function formatMemory({ peakBytes, residentBytes }: { peakBytes: number; residentBytes: number }): string {
  return `${formatBytes(peakBytes)} of the kernels at most, ${formatBytes(residentBytes)} of the process`;
}

/** 0.8205 ± 0.0012; the error is left out where it is unknown. */
export function formatMean(mean: number, standardError: number | null): string {
  return standardError === null ? mean.toFixed(4) : `${mean.toFixed(4)} ± ${standardError.toFixed(4)}`;
}
