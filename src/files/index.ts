/**
 * Graphs, weights and flips on the disk, and downloads of known datasets. Needs Node.
 *
 * @module rgnn/files
 */

export { CheckpointFile } from "./checkpoint-file.ts";
export type {
  CollectedGraph,
  CollectedSplit,
  Collection,
  CollectionEntry,
  Kept,
} from "./collection/collection.ts";
export { addToCollection, readCollection, shippedCollections } from "./collection/collection-files.ts";
export { cacheFolder } from "./datasets/data-folders.ts";
export { getDataset, locateDataset } from "./datasets/get-dataset.ts";
export { fileSource } from "./file-source.ts";
export { readFlips, writeFlips } from "./flips-file.ts";
export { folderFiles } from "./folder-files.ts";
export { type GraphNames, graphHash } from "./graph-hash.ts";
export { type LoadOptions, loadGraph, readGraph } from "./load.ts";
export {
  formatNeighbourhood,
  type GraphNeighbourhood,
  type NeighbourhoodNode,
  type NeighbourhoodOptions,
  neighbourhoodIn,
} from "./neighbourhood-file.ts";
export { readNodeSet, readPairs } from "./node-sets.ts";
export { type ClassName, type NodeRow, writeNodes } from "./nodes-file.ts";
export { readSplitFile, type SplitFile } from "./split-file.ts";
export { splitHash } from "./split-hash.ts";
export { checkStore, type StoreCheck, type StoreDamage } from "./store/check-store.ts";
export { type ConvertedStore, type ConvertToStoreOptions, convertToStore } from "./store/convert-to-store.ts";
export type { FeatureType } from "./store/feature-encoding.ts";
export { type MakeStoreOptions, makeStore } from "./store/make-store.ts";
export type { Mapping } from "./store/mapped-file.ts";
export {
  type GraphStore,
  type Mappings,
  type OpenStoreOptions,
  openStore,
  type StoreAccess,
} from "./store/open-store.ts";
export type { PartsHeader, PartType, StoreHeader, StorePart } from "./store/store-header.ts";
export type { StoreWriterOptions } from "./store/store-writer.ts";
export { type GraphStoreOptions, writeGraphStore } from "./store/write-graph-store.ts";
export {
  exportPyg,
  importPyg,
  type LoadedModel,
  loadModel,
  loadWeights,
  readSafetensors,
  readWeightsConfig,
  saveWeights,
  writeSafetensors,
} from "./weights-files.ts";
export { writeGraph } from "./write-graph.ts";
