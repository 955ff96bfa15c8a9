import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { localPrbcdOnRows } from "../attack/local/local-prbcd.ts";
import type { Backend } from "../backend/backend.ts";
import { check } from "../core/errors.ts";
import type { Progress } from "../core/progress.ts";
import { Rng } from "../core/rng.ts";
import { createSoftMedianPprgo, robustPprgoDefaults } from "../defense/robust-pprgo.ts";
import type { Curves } from "../experiment/curves-chart.ts";
import { attackedStore, rowSource } from "../experiment/on-store/attacked-store.ts";
import { makeStore } from "../files/store/make-store.ts";
import { type GraphStore, openStore } from "../files/store/open-store.ts";
import { PushPool } from "../files/store/push-pool.ts";
import { scaleShape, shapeNamed } from "../graph/shapes.ts";
import { Pprgo, pprgoDefaults } from "../nn/models/pprgo.ts";
import type { BenchDevice } from "./bench-device.ts";

/** Local PR-BCD on one store, with one model and block size. */
export interface ScaleResult {
  readonly nodes: number;
  readonly edges: number;
  readonly features: string;
  readonly model: string;
  readonly blockSize: number;
  readonly secondsPerEpoch: number;
  /** Peak memory of the process during the attack; null if the system does not tell. */
  readonly residentBytes: number | null;
  /** Bytes read from the disk rather than from the system's cache; null if the system does not tell. */
  readonly readBytes: number | null;
}

export interface ScaleReport {
  readonly scale: readonly ScaleResult[];
}

/** Which sizes are measured, and where their stores lie. */
export interface ScaleOptions {
  /** Missing stores are made here, and are kept. */
  readonly folder: string;
  readonly sizes: readonly number[];
  readonly threads: number;
}

/** Block sizes: that of the published experiment, and four times as many. */
const BLOCKS = [2500, 10_000];
/** Nodes that are attacked, and epochs of each. */
const TARGETS = 2;
const EPOCHS = 10;
const FINE_TUNE = 2;
const SEED = 7;

/** Default numbers of nodes of the graphs of {@link benchLocalScale}. */
export const SCALE_SIZES: readonly number[] = [1e4, 1e5, 1e6, 1e7, shapeNamed("papers100M").numNodes];

/** Times local PR-BCD on graph stores of growing size, with the degrees of papers100M. */
export async function benchLocalScale(
  device: BenchDevice,
  { folder, sizes, threads }: ScaleOptions,
  progress: Progress,
): Promise<ScaleReport> {
  check(device.name === "cpu", () => "bench local --scale: rows are read on the CPU; leave out --device webgpu");
  const scale: ScaleResult[] = [];
  for (const nodes of sizes) {
    const path = join(folder, `papers100M-${nodes}.store`);
    const shape = shapeNamed("papers100M");
    const making = { features: "i8" as const, progress };
    if (!existsSync(join(path, "store.json"))) await makeStore(scaleShape(shape, nodes / shape.numNodes), path, making);
    const { backend } = await device.open();
    const store = openStore(path);
    const pool = PushPool.open(store, threads);
    try {
      for (const model of modelsFor(backend, store)) {
        for (const blockSize of BLOCKS) {
          progress.update(0, 1, `${nodes} nodes, ${model.name}, blocks of ${blockSize}`);
          scale.push(await timeEpochs({ store, pool, model }, blockSize));
        }
        model.dispose();
      }
    } finally {
      await pool.close();
      store.close();
      await backend.close();
    }
  }
  return { scale };
}

/** Untrained models: their epochs take as long as those of trained ones. */
function modelsFor(backend: Backend, { header }: GraphStore): Pprgo[] {
  const sizes = { features: header.numFeatures, classes: header.numClasses };
  return [
    new Pprgo(backend, sizes, pprgoDefaults, new Rng(1)),
    createSoftMedianPprgo(backend, sizes, { ...robustPprgoDefaults, temperature: 20 }, new Rng(1)),
  ];
}

interface ScaleCase {
  readonly store: GraphStore;
  readonly pool: PushPool;
  readonly model: Pprgo;
}

async function timeEpochs({ store, pool, model }: ScaleCase, blockSize: number): Promise<ScaleResult> {
  const { header } = store;
  const nodes = targetsIn(store);
  const labels = Int32Array.from(nodes, (node) => node % header.numClasses); // as the generator draws them
  const graph = attackedStore(store, labels);
  const options = { preset: "paper", blockSize, epochs: EPOCHS, fineTuneEpochs: FINE_TUNE } as const;
  const task = { nodes, budget: { share: 0.5 }, rng: new Rng(SEED) };
  const memory = new MemoryMeter();
  const before = bytesRead();
  let seconds = 0;
  const source = rowSource(pool, model);
  for await (const result of localPrbcdOnRows(model, graph, task, options, source)) seconds += result.seconds;
  const read = bytesRead();
  return {
    nodes: header.numNodes,
    edges: header.numEntries,
    features: header.parts["features"].type,
    model: model.name,
    blockSize,
    secondsPerEpoch: seconds / nodes.length / EPOCHS,
    residentBytes: memory.peak(),
    readBytes: read === null || before === null ? null : read - before,
  };
}

/** Random nodes with at least four neighbours. */
function targetsIn(store: GraphStore): number[] {
  const rng = new Rng(SEED);
  const nodes: number[] = [];
  while (nodes.length < TARGETS) {
    const node = rng.integer(store.numNodes);
    if (store.degree(node) >= 4 && !nodes.includes(node)) nodes.push(node);
  }
  return nodes;
}

/** The peak of the process's memory since it was made, as Linux counts it. */
class MemoryMeter {
  constructor() {
    try {
      writeFileSync("/proc/self/clear_refs", "5"); // resets the peak
    } catch {
      // not Linux: peak() returns null
    }
  }

  peak(): number | null {
    const kibibytes = numberIn("/proc/self/status", /VmHWM:\s+(\d+)/);
    return kibibytes === null ? null : 1024 * kibibytes;
  }
}

function bytesRead(): number | null {
  return numberIn("/proc/self/io", /read_bytes:\s+(\d+)/);
}

function numberIn(file: string, pattern: RegExp): number | null {
  try {
    const found = pattern.exec(readFileSync(file, "latin1"));
    return found && Number(found[1]);
  } catch {
    return null;
  }
}

/** Seconds and memory over the number of nodes. */
export function scaleCurves({ scale }: ScaleReport): Curves {
  const points = scale.flatMap(({ nodes, model, blockSize, secondsPerEpoch, residentBytes }) => {
    const series = `${model}, b = ${blockSize}`;
    return [
      { panel: "seconds per epoch", series, x: nodes, y: secondsPerEpoch },
      ...(residentBytes === null ? [] : [{ panel: "memory, GiB", series, x: nodes, y: residentBytes / 2 ** 30 }]),
    ];
  });
  return {
    title: "Local PR-BCD on PPRGo over the size of the graph",
    points,
    x: { title: "nodes", log: true, format: "~s" },
    y: { title: "" },
    series: "attack",
    ownScales: true,
  };
}
