import type { Backend } from "../backend/backend.ts";
import type { Precision } from "../backend/webgpu/webgpu.ts";
import type { Dropped } from "../data/dropped.ts";
import type { NumpyRandom } from "../data/numpy-random.ts";
import { parseSplitChoice } from "../data/split-choice.ts";
import type { Split } from "../data/splits.ts";
import { trainModel } from "../defense/build-model.ts";
import { type LoadOptions, loadGraph } from "../files/load.ts";
import type { Graph } from "../graph/graph.ts";
import { evaluateSets } from "../nn/training/evaluate.ts";
import { predictNodes } from "../nn/training/predict-nodes.ts";
import { type DeviceGraph, toDevice, withFlips } from "../tensor/index.ts";
import type { NodeSession } from "./node-session.ts";
import { checkDevice, deviceName, openBackend } from "./open-device.ts";
import { openSplit } from "./opened-split.ts";

/** Which graph to open, how to split it, and where to compute. */
export interface SessionOptions extends LoadOptions {
  readonly dataset: string;
  readonly device?: string;
  readonly threads?: number;
  /** How a GPU stores rows that it gathers often. Default `single`. */
  readonly precision?: Precision;
  /** As `parseSplitChoice` reads it. Default: the split that published results on the dataset use. */
  readonly split?: string;
}

/** A graph on a device with its split: all that building, training and attacking a model needs. */
export interface OpenedGraph {
  readonly dataset: string;
  readonly backend: Backend;
  readonly graph: Graph;
  readonly view: DeviceGraph;
  /** The split that was asked for, or the one that published results on the dataset use. */
  split(seed: number): Split;
}

/** A graph on a device: what a run of any experiment starts from. */
export interface Session extends OpenedGraph, NodeSession {
  readonly graph: Graph;
  /** Threads of the CPU that a run may use; 1 beside a GPU. */
  readonly threads: number;
  /** What the graph leaves out of the input. */
  readonly dropped: Dropped;
  /**
   * The random generator in its state after drawing the split: the published experiments draw the nodes of local
   * attacks next.
   */
  randomAfterSplit(seed: number): NumpyRandom;
  split(seed: number): Split;
}

/** Loads a graph by name or path and copies it to a device, by default `auto`. The caller closes the session. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { dataset, device = "auto", threads: wanted, precision, split, ...load } = options;
  const wish = { device, ...(wanted !== undefined && { threads: wanted }), ...(precision && { precision }) };
  checkDevice(wish);
  const choice = split === undefined ? undefined : parseSplitChoice(split);
  const loaded = await loadGraph(dataset, load);
  const { graph, ids, classes, dropped } = loaded;
  const splits = openSplit(loaded, choice);
  const { backend, threads, notes } = await openBackend({ ...wish, numNodes: graph.numNodes });
  const view = await upload(backend, graph);
  return {
    dataset: graph.name,
    device: deviceName(backend),
    threads,
    backend,
    graph,
    view,
    ids,
    classes,
    dropped,
    notes: [...loaded.notes, ...splits.notes, ...notes],
    split: (seed) => splits.split(seed),
    randomAfterSplit: (seed) => splits.randomAfter(seed),
    splitFacts: (seed) => splits.facts(seed),
    labelsOf: (nodes) => Int32Array.from(nodes, (node) => graph.labels[node]),
    train: (built, choice, split, watch) => trainModel(built, choice, view, split, watch),
    accuracies: (model, sets) => evaluateSets(model, view, sets),
    async predict(model, nodes, _watch, flips) {
      if (!flips) return predictNodes(model, view, nodes);
      const perturbed = withFlips(view, flips);
      return predictNodes(model, perturbed, nodes).finally(() => perturbed.dispose());
    },
    async close() {
      view.dispose();
      await backend.close();
    },
  };
}

/** Copies the graph to the device. If it does not fit, closes the backend and its threads. */
async function upload(backend: Backend, graph: Graph): Promise<DeviceGraph> {
  try {
    return toDevice(backend, graph);
  } catch (error) {
    await backend.close();
    throw error;
  }
}
