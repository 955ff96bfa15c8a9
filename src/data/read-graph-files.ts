import { DataError } from "../core/errors.ts";
import { readAndClose } from "./formats/byte-source.ts";
import type { RawGraph } from "./raw-graph.ts";
import { hasCsvGraph, isEdgeList, readCsvFiles } from "./readers/csv-graph.ts";
import type { FileSet } from "./readers/file-set.ts";
import { hasNpyFiles, readNpyFiles } from "./readers/npy-folder.ts";
import { readNpzGraph } from "./readers/npz-graph.ts";
import { hasOgb, readOgb } from "./readers/ogb.ts";
import { onlyPlanetoidSet, planetoidSetOf, readPlanetoid } from "./readers/planetoid.ts";

/**
 * The one graph that a set of files holds, in whatever layout it is, without preprocessing.
 *
 * @example
 * const raw = await readGraphFiles(await droppedFiles(event.dataTransfer.files));
 * const { graph } = preprocess(raw);
 */
export async function readGraphFiles(files: FileSet): Promise<RawGraph> {
  const set = onlyPlanetoidSet(files);
  if (set !== undefined) return readPlanetoid(files, set);
  if (hasOgb(files)) return readOgb(files);
  if (hasNpyFiles(files)) return readNpyFiles(files);
  if (hasCsvGraph(files)) return readCsvFiles(files);
  const archives = files.list("").filter((file) => /\.(npz|zip)$/.test(file));
  if (archives.length === 1) return readAndClose(files.open(archives[0]), readNpzGraph);
  const found = archives.length > 1 ? `several archives (${archives.join(", ")}); name one` : "no graph";
  throw new DataError(
    `${files.name}: holds ${found}; a folder may hold edges.csv, one .npz, ind.*.graph, raw/edge.csv.gz or raw/data.npz`,
  );
}

/** The graph that one file of a set holds, or belongs to: an archive, an edge list, or a part of a Planetoid set. */
export async function readGraphFile(files: FileSet, path: string): Promise<RawGraph> {
  const set = planetoidSetOf(path);
  if (set !== undefined) return readPlanetoid(files, set);
  if (isEdgeList(path)) return readCsvFiles(files, path);
  return readAndClose(files.open(path), readNpzGraph);
}
