import { formatCsvLine } from "../data/formats/csv-line.ts";
import type { ChartRow } from "./charts/chart.ts";
import type { TableBlock } from "./document.ts";

/** The data of a chart as csv. */
export function chartCsv(rows: readonly ChartRow[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return lines([names, ...rows.map((row) => names.map((name) => row[name] ?? ""))]);
}

/** The shown text of a table as csv. */
export function tableCsv({ columns, cells }: TableBlock): string {
  return lines([columns.map(({ title }) => title), ...cells]);
}

function lines(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${formatCsvLine(row)}\n`).join("");
}
