import { existsSync, statSync } from "node:fs";
import { freemem } from "node:os";
import { basename, dirname } from "node:path";
import { check, DataError, MemoryError } from "../core/errors.ts";
import { type CatalogueEntry, catalogue } from "../data/catalogue/catalogue.ts";
import { checkStatistics } from "../data/catalogue/check-statistics.ts";
import { type LoadedGraph, type PreprocessOptions, preprocess } from "../data/preprocess.ts";
import type { RawGraph } from "../data/raw-graph.ts";
import { looksLikeGraph, readGraphFile, readGraphFiles } from "../data/read-graph-files.ts";
import { readPlanetoid } from "../data/readers/planetoid.ts";
import { replaceEdges } from "../data/replace-edges.ts";
import { syntheticCitation } from "../data/synthetic/synthetic-citation.ts";
import { dataFolders, findDataset } from "./datasets/data-folders.ts";
import { recogniseDataset } from "./datasets/recognise-dataset.ts";
import { folderFiles } from "./folder-files.ts";
import { readStoreGraph } from "./store/read-store-graph.ts";
import { isStore } from "./store/read-store-header.ts";

/** Options of {@link loadGraph}. */
export interface LoadOptions extends PreprocessOptions {
  /** Folder that is searched before `$RGNN_DATA` and the cache. */
  readonly dataDir?: string;
  /** A file or folder to take the edges from; everything else comes from the graph itself. */
  readonly adjacency?: string;
}

/**
 * Loads a graph by the name of a known dataset, or from a file or folder. Known datasets are checked against their
 * published counts.
 *
 * @example
 * const { graph } = await loadGraph("cora_ml");
 * const { train, val, test } = randomSplit(graph.labels, graph.numClasses, 0);
 */
export async function loadGraph(nameOrPath: string, options: LoadOptions = {}): Promise<LoadedGraph> {
  const entry = Object.hasOwn(catalogue, nameOrPath) ? catalogue[nameOrPath] : undefined;
  if (entry) return loadKnown(entry, options);
  check(looksLikePath(nameOrPath), () => unknown(nameOrPath));
  check(options.dataDir === undefined, () => `${nameOrPath} is a path; leave out --data-dir`);
  const raw = await readGraph(nameOrPath);
  const known = await recogniseDataset(nameOrPath);
  if (known) return prepareKnown(known, raw, nameOrPath, options);
  return prepare({ ...raw, name: nameOfOwn(raw.name, nameOrPath) }, options);
}

/** Preprocesses a graph, with the edges of `options.adjacency` if it is given. */
async function prepare(raw: RawGraph, options: LoadOptions): Promise<LoadedGraph> {
  const { adjacency, ignoreWeights } = options;
  if (adjacency === undefined) return preprocess(raw, options);
  return preprocess(replaceEdges(raw, await readGraph(adjacency), ignoreWeights), options);
}

/** A user's own file that has the name of a known dataset is called by its path: those names are reserved. */
function nameOfOwn(name: string, path: string): string {
  return Object.hasOwn(catalogue, name) ? path : name;
}

async function loadKnown(entry: CatalogueEntry, options: LoadOptions): Promise<LoadedGraph> {
  if (entry.files.length === 0) return builtIn(entry, options);
  const { name } = entry;
  const folders = dataFolders(options.dataDir);
  const path = findDataset(entry, folders);
  check(
    path !== undefined,
    () =>
      `dataset "${name}" is not here, looked in ${folders.join(", ")}; get it with: rgnn data get ${name}, or say where it is with ` +
      "--data-dir or $RGNN_DATA",
  );
  return prepareKnown(entry, await readGraph(path), path, options);
}

async function prepareKnown(
  entry: CatalogueEntry,
  raw: RawGraph,
  path: string,
  options: LoadOptions,
): Promise<LoadedGraph> {
  const { name, allComponents = false, directed = false } = entry;
  const loaded = await prepare({ ...raw, name, allComponents, directed }, options);
  const asPublished = options.adjacency === undefined && (options.allComponents ?? allComponents) === allComponents;
  if (asPublished) checkStatistics(entry, loaded.graph, path);
  return loaded;
}

async function builtIn({ name }: CatalogueEntry, options: LoadOptions): Promise<LoadedGraph> {
  check(!options.directed, () => `dataset "${name}" has no directions; leave out --directed`);
  check(options.dataDir === undefined, () => `dataset "${name}" is built in; leave out --data-dir`);
  return prepare({ ...syntheticCitation(), where: name }, options);
}

/** Reads whatever lies at `path`, without preprocessing. */
export async function readGraph(path: string): Promise<RawGraph> {
  try {
    return await readAny(path);
  } catch (error) {
    throw explained(error, path);
  }
}

async function readAny(path: string): Promise<RawGraph> {
  if (existsSync(`${path}.graph`)) return readPlanetoid(folderFiles(dirname(path)), basename(path));
  if (!existsSync(path)) throw new DataError(`${path}: there is no such file or folder`);
  if (isStore(path)) return readStoreGraph(path);
  if (statSync(path).isDirectory()) return readGraphFiles(folderFiles(path));
  return readGraphFile(folderFiles(dirname(path)), basename(path));
}

/** Translates errors of the system or the engine, such as a missing permission or too little memory, for users. */
function explained(error: unknown, path: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof RangeError && message === "Array buffer allocation failed") {
    return new MemoryError(
      `${path}: does not fit into memory, of which ${Math.round(freemem() / 2 ** 20)} MiB are free`,
    );
  }
  const fromSystem = error instanceof Error && "syscall" in error;
  return fromSystem ? new DataError(`${path}: cannot be read (${code}); is it yours to read?`) : error;
}

function looksLikePath(text: string): boolean {
  return /[/\\]/.test(text) || looksLikeGraph(text) || existsSync(text) || existsSync(`${text}.graph`);
}

function unknown(name: string): string {
  const known = Object.keys(catalogue).join(", ");
  return `unknown dataset "${name}"; known are ${known}; a path to a file or folder works too`;
}
