import type { Backend } from "../backend/backend.ts";
import type { Dropped } from "../data/dropped.ts";
import type { NodeIds } from "../data/node-ids.ts";
import type { NumpyRandom } from "../data/numpy-random.ts";
import type { LoadedGraph } from "../data/preprocess.ts";
import { parseSplitChoice, type SplitChoice } from "../data/split-choice.ts";
import type { Split } from "../data/splits.ts";
import { type LoadOptions, loadGraph } from "../files/load.ts";
import { readSplitFile } from "../files/split-file.ts";
import { splitHash } from "../files/split-hash.ts";
import type { Graph } from "../graph/graph.ts";
import { type DeviceGraph, toDevice } from "../tensor/index.ts";
import { checkDevice, openBackend } from "./open-device.ts";
import { type SplitSource, splitSource } from "./split-source.ts";

/** Which graph to open, how to split it, and where to compute. */
export interface SessionOptions extends LoadOptions {
  readonly dataset: string;
  readonly device?: string;
  readonly threads?: number;
  /** As `parseSplitChoice` reads it. Default: the split that published results on the dataset use. */
  readonly split?: string;
}

/** What reports say of a split. */
export interface SplitFacts {
  readonly name: string;
  readonly train: number;
  readonly val: number;
  readonly test: number;
  /** See `splitHash`. */
  readonly sha256: string;
}

/** A graph on a device: what a run of any experiment starts from. */
export interface Session {
  readonly dataset: string;
  readonly device: string;
  readonly backend: Backend;
  readonly graph: Graph;
  readonly view: DeviceGraph;
  /** What the input calls each node. Whatever a user reads or writes names nodes by these ids, never by their numbers. */
  readonly ids: NodeIds;
  /** What the input calls each class. */
  readonly classes: readonly string[];
  /** What of the input is not in the graph. */
  readonly dropped: Dropped;
  /** What a user should know about graph and split before results, one line each. */
  readonly notes: readonly string[];
  /** The split that was asked for, or the one that published results on the dataset use. */
  split(seed: number): Split;
  /** The generator that drew it, as it leaves it: the published experiments draw the nodes of local attacks next. */
  randomAfterSplit(seed: number): NumpyRandom;
  splitFacts(seed: number): SplitFacts;
  close(): Promise<void>;
}

/** Loads a graph by name or path and copies it to a device, by default the CPU. The caller closes the session. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { dataset, device = "auto", threads, split, ...load } = options;
  const wish = { device, ...(threads !== undefined && { threads }) };
  checkDevice(wish);
  const choice = split === undefined ? undefined : parseSplitChoice(split);
  const loaded = await loadGraph(dataset, load);
  const { graph, ids, classes, dropped } = loaded;
  const splits = openSplit(loaded, choice);
  const { backend, notes } = await openBackend({ ...wish, numNodes: graph.numNodes });
  const view = await upload(backend, graph);
  return {
    dataset: graph.name,
    device: deviceName(backend),
    backend,
    graph,
    view,
    ids,
    classes,
    dropped,
    notes: [...loaded.notes, ...splits.notes, ...notes],
    split: (seed) => splits.split(seed),
    randomAfterSplit: (seed) => splits.randomAfter(seed),
    splitFacts: (seed) => factsOf(splits, seed, ids),
    async close() {
      view.dispose();
      await backend.close();
    },
  };
}

/** Reads the file of a split where one was named; a split that no run could use fails here. */
export function openSplit(loaded: LoadedGraph, choice: SplitChoice | undefined): SplitSource {
  if (choice?.kind !== "file") return splitSource(loaded, choice);
  const { split, notes } = readSplitFile(choice.path, loaded.ids);
  const source = splitSource(loaded, choice, split);
  return { ...source, notes };
}

function factsOf(splits: SplitSource, seed: number, ids: NodeIds): SplitFacts {
  const split = splits.split(seed);
  return {
    name: splits.name,
    train: split.train.length,
    val: split.val.length,
    test: split.test.length,
    sha256: splitHash(split, ids),
  };
}

/** What reports call the place where a run was computed. */
function deviceName({ name }: Backend): string {
  return name === "wasm" ? "cpu" : name;
}

/** Copies the graph to the device, or ends the backend and its threads if it does not fit. */
async function upload(backend: Backend, graph: Graph): Promise<DeviceGraph> {
  try {
    return toDevice(backend, graph);
  } catch (error) {
    await backend.close();
    throw error;
  }
}
