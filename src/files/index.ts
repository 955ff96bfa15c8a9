export { type ConvertedGraph, convertGraph } from "./convert-graph.ts";
export { cacheFolder, dataFolders } from "./datasets/data-folders.ts";
export { download } from "./datasets/download.ts";
export { getDataset, locateDataset } from "./datasets/get-dataset.ts";
export { unpack } from "./datasets/unpack.ts";
export { fileSource } from "./file-source.ts";
export { readFlips, writeFlips } from "./flips-file.ts";
export { folderFiles } from "./folder-files.ts";
export { type LoadOptions, loadGraph, readGraph } from "./load.ts";
export { openNpyRows } from "./npy-rows.ts";
export { readSplitFile, type SplitFile } from "./split-file.ts";
export { splitHash } from "./split-hash.ts";
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
export { checkWritable, writeAtomically } from "./write-atomically.ts";
export { writeGraph } from "./write-graph.ts";
export { type ShapeFolderOptions, writeShape } from "./write-shape.ts";
