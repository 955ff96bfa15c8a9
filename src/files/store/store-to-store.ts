import { join } from "node:path";
import { check } from "../../core/errors.ts";
import type { Progress } from "../../core/progress.ts";
import { CsrFiles } from "./csr-files.ts";
import { appendFeatures, checkFeatures, encodeFeatures, type FeatureType } from "./feature-encoding.ts";
import { readFeatureRows } from "./read-feature-rows.ts";
import { readStoreHeader } from "./read-store-header.ts";
import type { StoreHeader } from "./store-header.ts";
import type { StoreWriter } from "./store-writer.ts";
import { symmetriseRows } from "./symmetrise-rows.ts";

/** What {@link storeToStore} changes, and the memory it may use. */
export interface StoreChanges {
  /** Default: the encoding stays. */
  readonly features?: FeatureType | undefined;
  /** False makes the graph undirected. Default: the directions stay. */
  readonly directed?: boolean | undefined;
  readonly memory: number;
  readonly progress: Progress;
}

/** Copies a store: writes the parts that change, and links or copies all others. */
export async function storeToStore(
  writer: StoreWriter,
  from: string,
  changes: StoreChanges,
): Promise<Omit<StoreHeader, "parts">> {
  const { parts, ...facts } = readStoreHeader(from);
  const { features = parts.features.type as FeatureType, directed = facts.directed, progress } = changes;
  check(!directed || facts.directed, () => `${from}: is undirected, and the directions are not known any more`);
  const changed = new Set<string>();
  if (features !== parts.features.type) {
    for (const name of ["features", "scales"]) changed.add(name);
    if (writer.position.step === undefined || writer.position.step === "features") {
      await writeFeatures(writer, from, { features, progress });
    }
  }
  let { numEntries } = facts;
  if (directed !== facts.directed) {
    for (const name of ["rowPointers", "columns"]) changed.add(name);
    numEntries = await writeBothWays(writer, from, changes);
  }
  for (const [name, part] of Object.entries(parts)) {
    if (!changed.has(name)) writer.adopt(name, part, join(from, part.file));
  }
  return { ...facts, numEntries, directed };
}

async function writeBothWays(writer: StoreWriter, from: string, changes: StoreChanges): Promise<number> {
  const { rowPointers, columns } = readStoreHeader(from).parts;
  const matrix = new CsrFiles(join(from, rowPointers.file), join(from, columns.file));
  try {
    return await symmetriseRows(writer, matrix, changes);
  } finally {
    matrix.close();
  }
}

const ROWS = 4096;

async function writeFeatures(
  writer: StoreWriter,
  from: string,
  { features: type, progress }: { features: FeatureType; progress: Progress },
): Promise<void> {
  const header = readStoreHeader(from);
  const { numNodes, numFeatures } = header;
  const begun = Number(writer.position.row ?? 0);
  for (const { begin, end, rows } of readFeatureRows(from, header, begun, ROWS)) {
    checkFeatures(rows, { numFeatures, type, firstNode: begin, where: from });
    appendFeatures(writer, encodeFeatures(rows, numFeatures, type), type);
    await writer.reached({ step: "features", row: end });
    progress.update(end - begun, numNodes - begun, "writing features");
  }
}
