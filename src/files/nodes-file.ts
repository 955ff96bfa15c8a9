import { check } from "../core/errors.ts";
import { formatParquet, idsColumn, type WrittenColumn } from "../data/formats/format-parquet.ts";
import type { NodeId } from "../data/node-ids.ts";
import { writeAtomically } from "./write-atomically.ts";

/** A class as the input calls it: a number or a name. */
export type ClassName = number | string;

/** A model's prediction for one node. */
export interface NodeRow {
  /** Its id in the input. */
  readonly node: NodeId;
  /** Its class, as the input calls it; null if it has none. */
  readonly label: ClassName | null;
  readonly prediction: ClassName;
  /** Probability of the predicted class. */
  readonly confidence: number;
  /** Logit of the true class minus that of the strongest other; null for a node without a label. */
  readonly margin: number | null;
}

const COLUMNS = ["node", "label", "prediction", "confidence", "margin"] as const;

/** Throws unless the ending of the name is a format that {@link writeNodes} knows. */
export function checkNodesFile(file: string): void {
  check(/\.(csv|json|parquet)$/.test(file), () => `--out must end in .csv, .json or .parquet, got ${file}`);
}

/** Writes a row per node, as .csv, as a .json list or as .parquet. Atomic. */
export async function writeNodes(file: string, rows: readonly NodeRow[]): Promise<void> {
  checkNodesFile(file);
  await writeAtomically(file, await format(file, rows));
}

async function format(file: string, rows: readonly NodeRow[]): Promise<Uint8Array | string> {
  if (file.endsWith(".json")) return `${JSON.stringify(rows)}\n`;
  return file.endsWith(".parquet") ? parquet(rows) : csv(rows);
}

function parquet(rows: readonly NodeRow[]): Promise<Uint8Array> {
  return formatParquet([
    idsColumn(
      "node",
      rows.map(({ node }) => node),
    ),
    classColumn(
      "label",
      rows.map(({ label }) => label),
    ),
    classColumn(
      "prediction",
      rows.map(({ prediction }) => prediction),
    ),
    { name: "confidence", type: "DOUBLE", data: rows.map(({ confidence }) => confidence) },
    { name: "margin", type: "DOUBLE", data: rows.map(({ margin }) => margin) },
  ]);
}

function classColumn(name: string, classes: readonly (ClassName | null)[]): WrittenColumn {
  if (classes.some((one) => typeof one === "string")) {
    return { name, type: "STRING", data: classes.map((one) => (one === null ? null : String(one))) };
  }
  return { name, type: "INT32", data: classes };
}

function csv(rows: readonly NodeRow[]): string {
  const lines = rows.map((row) => COLUMNS.map((column) => csvCell(row[column])).join(","));
  return [COLUMNS.join(","), ...lines, ""].join("\n");
}

/** A value as a cell of a csv: quoted if it contains a comma, a quote or a line break; empty for null. */
export function csvCell(value: NodeId | boolean | null): string {
  const text = String(value ?? "");
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
