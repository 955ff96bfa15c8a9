import type { Backend } from "../../src/backend/backend.ts";
import { Rng } from "../../src/core/rng.ts";
import { Graph } from "../../src/graph/graph.ts";
import { Gcn, type GcnConfig, gcnDefaults } from "../../src/nn/models/gcn.ts";
import { predict } from "../../src/nn/training/evaluate.ts";
import { argmaxRows, type DeviceGraph, toDevice } from "../../src/tensor/index.ts";
import { randomGraph } from "./any-graph.ts";

export interface AttackCase {
  readonly graph: Graph;
  readonly view: DeviceGraph;
  readonly model: Gcn;
  /** All of them: the model is right about each. */
  readonly nodes: number[];
}

export interface AttackCaseOptions {
  readonly numNodes?: number;
  readonly density?: number;
  readonly directed?: boolean;
  readonly numFeatures?: number;
  readonly config?: Partial<GcnConfig>;
}

/**
 * A random graph and a small GCN with random weights, with the classes that the model predicts as labels: it is right
 * about every node until an attack changes that. The same seed gives the same case on every backend.
 */
export async function attackCase(backend: Backend, seed: number, options: AttackCaseOptions = {}): Promise<AttackCase> {
  const { numNodes = 14, density = 0.25, directed = false, numFeatures = 3, config = {} } = options;
  const drawn = randomGraph(numNodes, density, seed, { directed, numFeatures });
  const sizes = { features: drawn.numFeatures, classes: drawn.numClasses };
  const model = new Gcn(backend, sizes, { ...gcnDefaults, hidden: [4], ...config }, new Rng(seed));
  const clean = toDevice(backend, drawn);
  const logits = predict(model, clean);
  const predicted = argmaxRows(logits);
  const graph = new Graph({ ...drawn, labels: await predicted.read() });
  for (const item of [clean, logits, predicted]) item.dispose();
  return { graph, view: toDevice(backend, graph), model, nodes: Array.from({ length: numNodes }, (_, i) => i) };
}
