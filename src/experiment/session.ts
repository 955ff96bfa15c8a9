import type { Backend } from "../backend/backend.ts";
import type { Split } from "../data/splits.ts";
import { type LoadOptions, loadGraph } from "../files/load.ts";
import type { Graph } from "../graph/graph.ts";
import { type DeviceGraph, toDevice } from "../tensor/index.ts";
import { chooseSplit } from "./choose-split.ts";
import { checkDevice, openBackend } from "./open-device.ts";

/** Which graph to open, and where to compute. */
export interface SessionOptions extends LoadOptions {
  readonly dataset: string;
  readonly device?: string;
  readonly threads?: number;
}

/** A graph on a device: what a run of any experiment starts from. */
export interface Session {
  readonly dataset: string;
  readonly device: string;
  readonly backend: Backend;
  readonly graph: Graph;
  readonly view: DeviceGraph;
  /** What a user should know before results, one line each. */
  readonly notes: readonly string[];
  /** The split that published results on the dataset use. */
  split(seed: number): Split;
  close(): Promise<void>;
}

/** Loads a graph by name or path and copies it to a device, by default the CPU. The caller closes the session. */
export async function openSession({ dataset, device = "auto", threads, ...load }: SessionOptions): Promise<Session> {
  const wish = { device, ...(threads !== undefined && { threads }) };
  checkDevice(wish);
  const loaded = await loadGraph(dataset, load);
  const { graph } = loaded;
  const { backend, notes } = await openBackend({ ...wish, numNodes: graph.numNodes });
  const view = await upload(backend, graph);
  return {
    dataset: graph.name,
    device: deviceName(backend),
    backend,
    graph,
    view,
    notes,
    split: (seed) => chooseSplit(graph.name, loaded, seed),
    async close() {
      view.dispose();
      await backend.close();
    },
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
