import { check } from "../core/errors.ts";
import type { NodeId } from "../data/node-ids.ts";
import { type ClassName, csvCell } from "./nodes-file.ts";
import { writeAtomically } from "./write-atomically.ts";

/** The certified radii of one node. Each is for one kind of change, with no changes of the other kinds. */
export interface CertificateRow {
  /** Its id in the input. */
  readonly node: NodeId;
  /** Its class, as the input calls it; null if it has none. */
  readonly label: ClassName | null;
  /** The class that the smoothed model gives it. */
  readonly prediction: ClassName;
  /** Whether this class is certified for the unchanged graph. */
  readonly certain: boolean;
  readonly edgeDeletions: number;
  readonly edgeAdditions: number;
  readonly featureDeletions: number;
  readonly featureAdditions: number;
}

const COLUMNS = [
  "node",
  "label",
  "prediction",
  "certain",
  "edgeDeletions",
  "edgeAdditions",
  "featureDeletions",
  "featureAdditions",
] as const;

/** Throws unless the ending of the name is a format that {@link writeCertificates} knows. */
export function checkCertificatesFile(file: string): void {
  check(/\.(csv|json)$/.test(file), () => `--out must end in .csv or .json, got ${file}`);
}

/** Writes a row per node, as .csv or as a .json list. Atomic. */
export async function writeCertificates(file: string, rows: readonly CertificateRow[]): Promise<void> {
  checkCertificatesFile(file);
  const lines = rows.map((row) => COLUMNS.map((column) => csvCell(row[column])).join(","));
  const csv = [COLUMNS.join(","), ...lines, ""].join("\n");
  await writeAtomically(file, file.endsWith(".json") ? `${JSON.stringify(rows)}\n` : csv);
}
