import { type Progress, silent } from "../../core/progress.ts";
import { setDrawer, splitSizes, UNLABELLED } from "../../data/synthetic/shape-split.ts";
import type { Shape } from "../../graph/shapes.ts";
import { CsrFiles } from "./csr-files.ts";
import { DEFAULT_MEMORY } from "./entry-buckets.ts";
import { appendFeatures, type FeatureType } from "./feature-encoding.ts";
import { pointersAfter } from "./row-pointers.ts";
import { shapeChunks } from "./shape-chunks.ts";
import { SCRATCH, type StoreWriter, type StoreWriterOptions, writeStore } from "./store-writer.ts";
import { symmetriseRows } from "./symmetrise-rows.ts";

/** Options of {@link makeStore}. */
export interface MakeStoreOptions extends StoreWriterOptions {
  /** Default 0. */
  readonly seed?: number;
  /** Default f16. */
  readonly features?: FeatureType;
  /** Bytes of memory that mirroring the edges of an undirected shape may use. Default 4 GiB. */
  readonly memory?: number;
  readonly progress?: Progress;
}

/**
 * Makes the graph that `generateShape` makes for a shape as a graph store, which may be larger than memory, with a
 * split called public. Nodes outside of the split have no label. If it is killed and called again, it continues.
 *
 * @example
 * await makeStore(shapeNamed("papers100M"), "papers100M.store", { features: "f16" });
 */
export async function makeStore(shape: Shape, folder: string, options: MakeStoreOptions = {}): Promise<void> {
  const { seed = 0, features = "f16", progress = silent, memory = DEFAULT_MEMORY } = options;
  await writeStore(folder, { make: shape, seed, features }, options, async (writer) => {
    const numEntries = await writeRows(writer, { shape, seed, features, progress, memory });
    writeLabels(writer, shape, seed);
    const { name, numNodes, numFeatures, numClasses, directed } = shape;
    return { name, numNodes, numEntries, numFeatures, numClasses, directed, splits: ["public"] };
  });
}

interface RowsTask {
  readonly shape: Shape;
  readonly seed: number;
  readonly features: FeatureType;
  readonly progress: Progress;
  readonly memory: number;
}

/** Writes edges and features; returns the number of entries. */
async function writeRows(writer: StoreWriter, task: RowsTask): Promise<number> {
  if (task.shape.directed) return writeDrawn(writer, task, "");
  // The generated rows hold each edge in one direction; they are kept until the other direction is written.
  if (writer.position.step === undefined || writer.position.step === "rows") await writeDrawn(writer, task, DRAWN);
  const drawn = new CsrFiles(writer.pathOf(`${DRAWN}rowPointers`, "u64"), writer.pathOf(`${DRAWN}columns`, "i32"));
  try {
    return await symmetriseRows(writer, drawn, task);
  } finally {
    drawn.close();
  }
}

const DRAWN = `${SCRATCH}drawn.`;

/** Writes the features, and the generated rows into parts whose names begin with `prefix`. */
async function writeDrawn(writer: StoreWriter, task: RowsTask, prefix: string): Promise<number> {
  const { shape, seed, features, progress } = task;
  const rowPointers = writer.part(`${prefix}rowPointers`, "u64");
  const columns = writer.part(`${prefix}columns`, "i32");
  const begun = Number(writer.position.row ?? 0);
  if (begun === 0) rowPointers.append(pointersAfter([0], 0));
  for await (const chunk of shapeChunks({ shape, seed, features }, begun)) {
    rowPointers.append(pointersAfter(chunk.rowPtr.subarray(1), columns.bytes / 4));
    columns.append(chunk.columns);
    appendFeatures(writer, chunk.encoded, features);
    await writer.reached({ step: "rows", row: chunk.end });
    progress.update(chunk.end - begun, shape.numNodes - begun, "making nodes");
  }
  return columns.bytes / 4;
}

const LABELS = 2 ** 16;

/** Writes labels and the split. This is a short step, which starts over after a kill. */
function writeLabels(writer: StoreWriter, shape: Shape, seed: number): void {
  const { numNodes, numClasses } = shape;
  const drawSet = setDrawer(shape, splitSizes(shape), seed);
  const sets = ["train", "val", "test"].map((set) => writer.part(`public.${set}`, "i32"));
  const labels = writer.part("labels", "i32");
  for (let begin = 0; begin < numNodes; begin += LABELS) {
    const chunk = new Int32Array(Math.min(LABELS, numNodes - begin));
    const chosen: number[][] = sets.map(() => []);
    for (let k = 0; k < chunk.length; k++) {
      const node = begin + k;
      const set = drawSet();
      chunk[k] = set === UNLABELLED ? -1 : node % numClasses;
      if (set !== UNLABELLED) chosen[set].push(node);
    }
    labels.append(chunk);
    for (const [set, nodes] of chosen.entries()) sets[set].append(Int32Array.from(nodes));
  }
}
