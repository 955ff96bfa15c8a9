import { readAndClose } from "../data/formats/byte-source.ts";
import { npzFrom } from "../data/formats/npz.ts";
import { idSplitOfJson, idSplitOfNpz, resolveSplit } from "../data/id-split.ts";
import type { NodeIds } from "../data/node-ids.ts";
import type { Split } from "../data/splits.ts";
import { fileSource, readWhole } from "./file-source.ts";

/** A split from a file, and a note for each set from which nodes were left out. */
export interface SplitFile {
  readonly split: Split;
  readonly notes: readonly string[];
}

/**
 * Reads a split from .json or .npz: `train`, `val` and `test` (or `idx_train`, …), each a list of ids of the input.
 * Nodes that preprocessing left out of the graph are left out of the split; ids that the input does not have are an
 * error.
 */
export function readSplitFile(path: string, ids: NodeIds): SplitFile {
  const listed = path.endsWith(".json")
    ? idSplitOfJson(readWhole(path), path)
    : readAndClose(fileSource(path), (source) => idSplitOfNpz(npzFrom(source)));
  return resolveSplit(listed, ids, path);
}
