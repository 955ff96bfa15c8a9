import { availableParallelism } from "node:os";
import type { Backend } from "../../backend/backend.ts";
import { check } from "../../core/errors.ts";
import { parseSplitChoice } from "../../data/split-choice.ts";
import type { Split } from "../../data/splits.ts";
import type { BuiltModel, ModelChoice } from "../../defense/build-model.ts";
import type { CheckpointFile } from "../../files/checkpoint-file.ts";
import { checkPrepared } from "../../files/store/check-prepared.ts";
import { type GraphStore, openStore } from "../../files/store/open-store.ts";
import { storeClasses, storeName } from "../../files/store/store-facts.ts";
import { readStoreIds } from "../../files/store/store-ids.ts";
import type { Flips } from "../../graph/flips.ts";
import type { Model } from "../../nn/model.ts";
import type { Pprgo } from "../../nn/models/pprgo.ts";
import type { NodePredictions } from "../../nn/training/predict-nodes.ts";
import type { History } from "../../nn/training/train.ts";
import type { NodeSession } from "../node-session.ts";
import { checkDevice, deviceName, type OpenedDevice, openBackend } from "../open-device.ts";
import { type OpenedSplit, openSplit } from "../opened-split.ts";
import { sampleNodes } from "../sample-split.ts";
import type { SessionOptions } from "../session.ts";
import type { RunWatch } from "../trained-model.ts";
import { predictRows } from "./predict-rows.ts";
import { trainOnStore } from "./train-on-store.ts";

/** Accuracies of larger sets are measured on a sample: each node costs a push and the features of its neighbours. */
const ACCURACY_NODES = 2500;

/** Options of {@link openStoreSession}. */
export interface StoreSessionOptions extends SessionOptions {
  /** Milliseconds between checkpoints of training. Default 30 s. */
  readonly checkpointMilliseconds?: number;
}

/**
 * Opens a graph store for PPRGo and its relatives, which read only what they need: the graph may be far larger than
 * memory. The caller closes the session.
 *
 * @example
 * const session = await openStoreSession({ dataset: "papers100M.store" });
 * const { report } = await runTrain(session, { model: "pprgo", seed: 0, trainNodes: 10_000 });
 */
export async function openStoreSession(options: StoreSessionOptions): Promise<StoreSession> {
  const { dataset, device = "auto", threads, precision, split, dataDir, checkpointMilliseconds, ...load } = options;
  const wish = { device, ...(threads !== undefined && { threads }), ...(precision && { precision }) };
  checkDevice(wish);
  check(dataDir === undefined, () => `${dataset} is a path; leave out --data-dir`);
  checkPrepared(dataset, load);
  const choice = split === undefined ? undefined : parseSplitChoice(split);
  const store = openStore(dataset);
  try {
    const splits = openSplit(splittable(store), choice);
    const opened = await openBackend({ ...wish, numNodes: store.numNodes });
    const pushThreads = threads === undefined ? availableParallelism() : opened.threads; // with a GPU too
    return new StoreSession(store, splits, { ...opened, threads: pushThreads }, checkpointMilliseconds);
  } catch (error) {
    store.close();
    throw error;
  }
}

function splittable(store: GraphStore) {
  const { folder, header } = store;
  return {
    graph: { name: storeName(folder, header), numClasses: header.numClasses, labels: store.allLabels() },
    ids: readStoreIds(folder, header),
    classes: storeClasses(header),
    splits: Object.fromEntries(header.splits.map((name) => [name, store.split(name)])),
  };
}

/** A graph store with a device. */
export class StoreSession implements NodeSession {
  readonly store: GraphStore;
  readonly backend: Backend;
  /** Threads that push rows of PageRank. */
  readonly threads: number;
  readonly notes: readonly string[];
  readonly ids: NodeSession["ids"];
  private readonly splits: OpenedSplit;
  private readonly checkpointMilliseconds: number | undefined;
  private checkpoint: CheckpointFile | null = null;

  /** Use {@link openStoreSession}. @internal */
  constructor(
    store: GraphStore,
    splits: OpenedSplit,
    { backend, threads, notes }: OpenedDevice,
    checkpointMilliseconds?: number,
  ) {
    this.store = store;
    this.splits = splits;
    this.backend = backend;
    this.threads = threads;
    this.notes = [...splits.notes, ...notes];
    this.ids = readStoreIds(store.folder, store.header);
    this.checkpointMilliseconds = checkpointMilliseconds;
  }

  get dataset(): string {
    return storeName(this.store.folder, this.store.header);
  }
  get device(): string {
    return deviceName(this.backend);
  }
  get graph() {
    return this.store.header;
  }
  get classes(): readonly string[] {
    return storeClasses(this.store.header);
  }

  split(seed: number): Split {
    return this.splits.split(seed);
  }

  splitFacts(seed: number) {
    return this.splits.facts(seed);
  }

  labelsOf(nodes: ArrayLike<number>): Int32Array {
    return this.store.labels(nodes);
  }

  async train(built: BuiltModel, choice: ModelChoice, split: Split, watch: RunWatch = {}): Promise<History> {
    const { store, threads, checkpointMilliseconds } = this;
    const { history, checkpoint } = await trainOnStore(
      built,
      choice,
      { store, threads, split, checkpointMilliseconds },
      watch,
    );
    this.checkpoint = history.interrupted ? null : checkpoint; // the next run continues from it
    return history;
  }

  predict(model: Model, nodes: ArrayLike<number>, watch: RunWatch = {}, flips?: Flips): Promise<NodePredictions> {
    check(flips === undefined, () => `${this.store.folder}: flips need the whole graph in memory`);
    return predictRows(this.store, model as Pprgo, Int32Array.from(nodes), this.threads, watch);
  }

  async accuracies(model: Model, sets: readonly Int32Array[], watch: RunWatch = {}): Promise<number[]> {
    if (sets.some(({ length }) => length > ACCURACY_NODES))
      watch.warn?.(`accuracies are those of ${ACCURACY_NODES} nodes of each set; rgnn evaluate takes all or --most`);
    const shares: number[] = [];
    for (const set of sets) {
      const nodes = sampleNodes(set, ACCURACY_NODES, 0);
      const { predictions } = await this.predict(model, nodes, watch);
      const labels = this.labelsOf(nodes);
      shares.push(labels.filter((label, t) => label === predictions[t]).length / nodes.length);
    }
    return shares;
  }

  discardCheckpoint(): void {
    this.checkpoint?.remove();
    this.checkpoint = null;
  }

  async close(): Promise<void> {
    await this.backend.close();
    this.store.close();
  }
}
