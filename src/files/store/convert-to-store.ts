import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { check } from "../../core/errors.ts";
import { type Progress, silent } from "../../core/progress.ts";
import { type CatalogueEntry, catalogue } from "../../data/catalogue/catalogue.ts";
import { checkStatistics } from "../../data/catalogue/check-statistics.ts";
import { hasOgb } from "../../data/readers/ogb.ts";
import { dataFolders, findDataset } from "../datasets/data-folders.ts";
import { folderFiles } from "../folder-files.ts";
import { type LoadOptions, loadGraph } from "../load.ts";
import { ogbBinaryStream } from "../streams/ogb-binary-stream.ts";
import { ogbCsvStream } from "../streams/ogb-csv-stream.ts";
import { DEFAULT_MEMORY } from "./entry-buckets.ts";
import type { FeatureType } from "./feature-encoding.ts";
import { isStore, readStoreHeader } from "./read-store-header.ts";
import { HEADER_FILE, type StoreHeader } from "./store-header.ts";
import { storeToStore } from "./store-to-store.ts";
import { type StoreWriterOptions, writeStore } from "./store-writer.ts";
import { streamToStore } from "./stream-to-store.ts";
import { writeGraphStore } from "./write-graph-store.ts";

/** Options of {@link convertToStore}. */
export interface ConvertToStoreOptions extends LoadOptions, StoreWriterOptions {
  /** How features are encoded. Default: as in the store that is converted; f32 for other graphs. */
  readonly features?: FeatureType;
  /** About how many bytes of memory sorting may use. Default 4 GiB. */
  readonly memory?: number;
  readonly progress?: Progress;
}

/** The result of {@link convertToStore}. */
export interface ConvertedStore {
  readonly header: StoreHeader;
  /** What was left out or replaced, one line each. */
  readonly notes: readonly string[];
}

/**
 * Writes any graph that can be read as a graph store. Other stores and the layouts of the Open Graph Benchmark are read
 * piece by piece: they may be larger than memory, and a killed conversion continues where it was when called again.
 * Other graphs are loaded into memory.
 *
 * @example
 * await convertToStore("ogbn-papers100M", "papers100M.store", { features: "f16" });
 */
export async function convertToStore(
  from: string,
  to: string,
  options: ConvertToStoreOptions = {},
): Promise<ConvertedStore> {
  const notes: string[] = [];
  const entry = Object.hasOwn(catalogue, from) ? catalogue[from] : undefined;
  const path = (entry && findDataset(entry, dataFolders(options.dataDir))) ?? from;
  check(resolve(path) !== resolve(to), () => `${to}: cannot be made from itself; choose another place`);
  if (isStore(path)) await convertStore(path, to, options);
  else if (statSync(path, { throwIfNoEntry: false })?.isDirectory() && hasOgb(folderFiles(path))) {
    await convertOgb(path, to, { ...options, ...(entry && { entry }) });
  } else notes.push(...(await convertInMemory(from, to, options)));
  return { header: readStoreHeader(to), notes };
}

/** Identifies the files that a conversion reads, so that it continues only if they are unchanged. */
function identity(folder: string, files: readonly string[]): Record<string, unknown> {
  const paths = files.map((file) => join(folder, file)).filter((path) => existsSync(path));
  const states = paths.map((path) => statSync(path)).map(({ size, mtimeMs }) => ({ size, mtimeMs }));
  return { convert: resolve(folder), files: states };
}

async function convertStore(from: string, to: string, options: ConvertToStoreOptions): Promise<void> {
  const { features, directed, memory = DEFAULT_MEMORY, progress = silent, ignoreWeights, dataDir } = options;
  check(ignoreWeights === undefined, () => `${from}: a graph store has no weights; leave out --ignore-weights`);
  check(dataDir === undefined, () => `${from}: is a path; leave out --data-dir`);
  const task = { ...identity(from, [HEADER_FILE]), features, directed };
  await writeStore(to, task, options, (writer) => storeToStore(writer, from, { features, directed, memory, progress }));
}

const OGB_FILES = ["data.npz", "node-label.npz", "edge.csv.gz", "node-feat.csv.gz", "node-label.csv.gz"];

async function convertOgb(
  from: string,
  to: string,
  { entry, ...options }: ConvertToStoreOptions & { entry?: CatalogueEntry },
): Promise<void> {
  const { features = "f32", directed = entry?.directed ?? false, memory = DEFAULT_MEMORY, progress = silent } = options;
  const files = folderFiles(from);
  const stream = await (files.has("raw/data.npz") ? ogbBinaryStream(files) : ogbCsvStream(files));
  const raw = OGB_FILES.map((file) => join("raw", file));
  const task = { ...identity(from, raw), features, directed };
  try {
    await writeStore(to, task, options, async (writer) => {
      const facts = await streamToStore(writer, stream, { features, directed, memory, progress });
      if (entry) checkStatistics(entry, facts, from);
      return entry ? { ...facts, name: entry.name } : facts;
    });
  } finally {
    stream.close();
  }
}

/** Returns notes on what was left out. */
async function convertInMemory(from: string, to: string, options: ConvertToStoreOptions): Promise<readonly string[]> {
  const { features = "f32" } = options;
  const loaded = await loadGraph(from, { allComponents: true, ...options });
  const { graph, ids, classes, splits = {}, notes } = loaded;
  await writeGraphStore(graph, to, { features, ids, classes, splits });
  return notes;
}
