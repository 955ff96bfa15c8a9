/**
 * Graphs from bytes: readers, preprocessing, splits, known datasets and the built-in graph. Runs in browsers too.
 *
 * @module rgnn/data
 */
export { type CatalogueEntry, catalogue, type Statistics } from "./catalogue/catalogue.ts";
export type { DataFile } from "./catalogue/catalogue-files.ts";
export { type ByteSource, bytesSource } from "./formats/byte-source.ts";
export { formatNpy, type NpyArray, parseNpy } from "./formats/npy.ts";
export type { NpyData } from "./formats/npy-dtype.ts";
export { formatNpz, type Npz, npzFrom } from "./formats/npz.ts";
export { NumpyRandom } from "./numpy-random.ts";
export { type LoadedGraph, type PreprocessOptions, preprocess } from "./preprocess.ts";
export type { RawGraph } from "./raw-graph.ts";
export { readGraphFile, readGraphFiles } from "./read-graph-files.ts";
export { type CsvGraphSources, readCsvGraph } from "./readers/csv-graph.ts";
export { type DroppedFile, droppedFiles, type FileSet, filesInMemory } from "./readers/file-set.ts";
export { formatNpzGraph } from "./readers/npz-graph.ts";
export { type RandomSplit, randomSplit, type Split } from "./splits.ts";
export { type StreamOptions, streamShape } from "./synthetic/stream-shape.ts";
export { syntheticCitation } from "./synthetic/synthetic-citation.ts";
