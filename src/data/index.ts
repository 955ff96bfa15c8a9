/**
 * Graphs from bytes: readers, preprocessing, splits, known datasets and the built-in graph. Runs in browsers too.
 *
 * @module rgnn/data
 */
export { type CatalogueEntry, catalogue, type Statistics } from "./catalogue/catalogue.ts";
export type { DataFile } from "./catalogue/catalogue-files.ts";
export { type Dropped, describeDropped } from "./dropped.ts";
export { type ByteSource, bytesSource } from "./formats/byte-source.ts";
export { formatNpy, type NpyArray, parseNpy } from "./formats/npy.ts";
export type { NpyData } from "./formats/npy-dtype.ts";
export { formatNpz, type Npz, type NpzContent, npzFrom } from "./formats/npz.ts";
export { type NodeId, NodeIds } from "./node-ids.ts";
export { NumpyRandom } from "./numpy-random.ts";
export { type LoadedGraph, type PreprocessOptions, preprocess } from "./preprocess.ts";
export type { RawGraph } from "./raw-graph.ts";
export { readGraphFile, readGraphFiles } from "./read-graph-files.ts";
export { type CsvGraphSources, readCsvGraph } from "./readers/csv-graph.ts";
export { type DroppedFile, droppedFiles, type FileSet, filesInMemory } from "./readers/file-set.ts";
export { replaceEdges } from "./replace-edges.ts";
export { parseSplitChoice, type SplitChoice } from "./split-choice.ts";
export {
  type RandomSplit,
  type RandomSplitOptions,
  randomSplit,
  type Shares,
  type Split,
  splitByShares,
} from "./splits.ts";
export { type StreamOptions, streamShape } from "./synthetic/stream-shape.ts";
export { syntheticCitation } from "./synthetic/synthetic-citation.ts";
export { formatGraph, type GraphFiles } from "./writers/format-graph.ts";
export type { GraphContext } from "./writers/graph-context.ts";
export { formatNpzGraph } from "./writers/npz-graph.ts";
export { formatParquetFiles } from "./writers/parquet-files.ts";
