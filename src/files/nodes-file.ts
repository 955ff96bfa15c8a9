import { check } from "../core/errors.ts";
import type { NodeId } from "../data/node-ids.ts";
import { writeAtomically } from "./write-atomically.ts";

/** What a model says about one node. */
export interface NodeRow {
  /** As the input calls it. */
  readonly node: NodeId;
  /** Its class; null if it has none. */
  readonly label: number | null;
  readonly prediction: number;
  /** Probability of the predicted class. */
  readonly confidence: number;
  /** Logit of the true class minus that of the strongest other; null for a node without a label. */
  readonly margin: number | null;
}

const COLUMNS = ["node", "label", "prediction", "confidence", "margin"] as const;

/** Throws unless {@link writeNodes} can tell from the name how to write. */
export function checkNodesFile(file: string): void {
  check(/\.(csv|json)$/.test(file), () => `--out must end in .csv or .json, got ${file}`);
}

/** Writes a row per node, as .csv or as a .json list. Atomic. */
export async function writeNodes(file: string, rows: readonly NodeRow[]): Promise<void> {
  checkNodesFile(file);
  await writeAtomically(file, file.endsWith(".json") ? `${JSON.stringify(rows)}\n` : csv(rows));
}

function csv(rows: readonly NodeRow[]): string {
  const lines = rows.map((row) => COLUMNS.map((column) => cell(row[column])).join(","));
  return [COLUMNS.join(","), ...lines, ""].join("\n");
}

/** Names with a comma or a quote are quoted; nothing stands for what is unknown. */
function cell(value: NodeId | null): string {
  const text = String(value ?? "");
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
