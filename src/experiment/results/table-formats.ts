import { formatCsvLine } from "../../data/formats/csv-line.ts";
import { formatParquet } from "../../data/formats/format-parquet.ts";
import { escapeLatex } from "./escape-latex.ts";

/** A row of results: columns by name, the same for all rows of a table. */
export type TableRow = Readonly<Record<string, string | number | null>>;

/** Forms in which a table can be written, by the ending of a file. */
export const TABLE_FORMATS: Readonly<
  Record<string, (rows: readonly TableRow[]) => Promise<Uint8Array | string> | string>
> = {
  csv: (rows) =>
    lines([formatCsvLine(namesOf(rows)), ...rows.map((row) => formatCsvLine(Object.values(row).map(textOf)))]),
  json: (rows) => `${JSON.stringify(rows)}\n`,
  md: markdown,
  tex: latex,
  parquet: parquet,
};

function markdown(rows: readonly TableRow[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const names = namesOf(rows);
  const rule = names.map((name) => (isNumeric(rows, name) ? "---:" : "---"));
  return lines([line(names), line(rule), ...rows.map((row) => line(Object.values(row).map(shown)))]);
}

/** A `tabular` for the package booktabs. */
function latex(rows: readonly TableRow[]): string {
  const names = namesOf(rows);
  const line = (cells: readonly string[]) => `${cells.map(escapeLatex).join(" & ")} \\\\`;
  const align = names.map((name) => (isNumeric(rows, name) ? "r" : "l")).join("");
  return lines([
    `\\begin{tabular}{${align}}`,
    "\\toprule",
    line(names),
    "\\midrule",
    ...rows.map((row) => line(Object.values(row).map(shown))),
    "\\bottomrule",
    "\\end{tabular}",
  ]);
}

function parquet(rows: readonly TableRow[]): Promise<Uint8Array> {
  const columns = namesOf(rows).map((name) => {
    const data = rows.map((row) => row[name]);
    return { name, type: isNumeric(rows, name) ? ("DOUBLE" as const) : ("STRING" as const), data };
  });
  return formatParquet(columns);
}

function isNumeric(rows: readonly TableRow[], name: string): boolean {
  return rows.some((row) => typeof row[name] === "number") && rows.every((row) => typeof row[name] !== "string");
}

/** Every digit, for programs. */
function textOf(value: string | number | null): string | number {
  return value ?? "";
}

/** Four digits, for people. */
function shown(value: string | number | null): string {
  if (value === null) return "";
  return typeof value === "number" && !Number.isInteger(value) ? String(Number(value.toFixed(4))) : String(value);
}

function namesOf(rows: readonly TableRow[]): string[] {
  return Object.keys(rows[0] ?? {});
}

function lines(all: readonly string[]): string {
  return `${all.join("\n")}\n`;
}
