import { batch, computed, signal } from "@preact/signals";
import type { Offer, OpenedGraph, PlayedAttack, TrainedModel } from "rgnn/lab";
import { Cancelled, type LabConnection, type LabProgress } from "./lab/connection.ts";

/** What the user asks for. */
export interface Setup {
  readonly model: string;
  readonly attack: string;
  /** Flips as a share of the edges. */
  readonly epsilon: number;
  readonly seed: number;
  /** `quick` shows something in seconds; `thorough` is as strong as the attack gets. */
  readonly effort: "quick" | "thorough";
}

/** Work that is going on. */
export interface Job {
  readonly title: string;
  readonly progress: LabProgress | null;
  cancel(): void;
}

/** How work reports progress, and how it is cancelled. */
interface RunOptions {
  readonly progress: (progress: LabProgress) => void;
  readonly signal: AbortSignal;
}

const QUICK_TRAINING = { maxEpochs: 200 };
/** Options with which each attack takes seconds on a graph of a few thousand nodes; others are fast as they are. */
const QUICK_ATTACKS: Readonly<Record<string, Record<string, number>>> = {
  prbcd: { epochs: 50, blockSize: 100_000, polish: 2 },
  grbcd: { blockSize: 100_000, epochs: 100 },
  pgd: { epochs: 60 },
  auto: { seconds: 6, blockSize: 100_000 },
  eva: { seconds: 6 },
};
const LONGEST_AUTO = 120;

/** Everything that the views show and do: one graph, one model, one attack, and the work at hand. */
export class Workbench {
  readonly offer = signal<Offer | null>(null);
  readonly graph = signal<OpenedGraph | null>(null);
  readonly model = signal<TrainedModel | null>(null);
  readonly attack = signal<PlayedAttack | null>(null);
  readonly job = signal<Job | null>(null);
  readonly error = signal<string | null>(null);
  readonly setup = signal<Setup>({ model: "gcn", attack: "prbcd", epsilon: 0.05, seed: 0, effort: "quick" });
  /** How many flips of the attack the picture shows as made. */
  readonly made = signal(0);

  /** The predictions at each point of the attack. */
  readonly played = computed(() => followPredictions(this.model.value, this.attack.value));
  /** The point that is shown: the last one with no more flips than are made. */
  readonly point = computed(() => {
    const points = this.attack.value?.points ?? [];
    const next = points.findIndex(({ flips }) => flips > this.made.value);
    return (next < 0 ? points.length : next) - 1;
  });
  /** What the model says about every node with the flips that are made; null without a model. */
  readonly predictions = computed(() => {
    const { value } = this.played;
    return value.length > 0 ? value[Math.max(0, this.point.value)] : null;
  });

  readonly lab: LabConnection;
  private last: Promise<unknown> = Promise.resolve();

  constructor(lab: LabConnection) {
    this.lab = lab;
  }

  /** Loads what there is to choose from, and the first graph. */
  async start(): Promise<void> {
    try {
      this.offer.value = await this.lab.call("offer", {});
    } catch (error) {
      this.error.value = messageOf(error);
      return;
    }
    await this.openGraph(this.offer.value.graphs[0].name);
  }

  openGraph(name: string): Promise<boolean> {
    return this.open("Opening the graph", (options) => this.lab.call("open", { name }, options));
  }

  /** Opens a graph that the user brought. */
  async openFiles(files: readonly File[]): Promise<boolean> {
    const contents = await Promise.all(
      files.map(async (file) => ({ name: nameOf(file), bytes: new Uint8Array(await file.arrayBuffer()) })),
    );
    const request = { files: withoutSharedFolder(contents) };
    return this.open("Reading the files", (options) => this.lab.call("graph", request, options));
  }

  private open(title: string, load: (options: RunOptions) => Promise<OpenedGraph>): Promise<boolean> {
    return this.run(title, async (options) => {
      const graph = await load(options);
      batch(() => {
        this.graph.value = graph;
        this.model.value = null;
        this.attack.value = null;
        this.made.value = 0;
      });
    });
  }

  /** Trains the chosen model, unless it is there already. */
  train(): Promise<boolean> {
    const { model, seed, effort } = this.setup.value;
    const graph = this.graph.value;
    if (!graph) return Promise.resolve(false);
    const before = this.model.value;
    if (before && before.graph === graph.graph && before.kind === model && before.seed === seed) {
      return Promise.resolve(true);
    }
    return this.run(`Training ${model}`, async (options) => {
      const set = effort === "quick" ? QUICK_TRAINING : {};
      const trained = await this.lab.call("train", { graph: graph.graph, model, seed, set }, options);
      batch(() => {
        this.model.value = trained;
        this.attack.value = null;
        this.made.value = 0;
      });
    });
  }

  /** Trains and attacks with what is chosen. */
  async trainAndAttack(): Promise<boolean> {
    if (!(await this.train())) return false;
    const { attack, epsilon, seed, effort } = this.setup.value;
    const model = this.model.value!.model;
    const thorough = attack === "auto" ? { seconds: LONGEST_AUTO } : {};
    const attackOptions = effort === "quick" ? (QUICK_ATTACKS[attack] ?? {}) : thorough;
    return this.run(`Attacking with ${attack}`, async (options) => {
      const played = await this.lab.call("attack", { model, attack, epsilon, seed, options: attackOptions }, options);
      batch(() => {
        this.attack.value = played;
        this.made.value = 0;
      });
    });
  }

  /** Attacks again with the attack that picks and polishes by itself. */
  attackHarder(): Promise<boolean> {
    this.setup.value = { ...this.setup.value, attack: "auto" };
    return this.trainAndAttack();
  }

  /** Does work after all earlier work is done, and shows it as `job` meanwhile; false if it failed or was cancelled. */
  run(title: string, work: (options: RunOptions) => Promise<void>): Promise<boolean> {
    const done = this.last.then(() => this.runNow(title, work));
    this.last = done;
    return done;
  }

  private async runNow(title: string, work: (options: RunOptions) => Promise<void>): Promise<boolean> {
    const stop = new AbortController();
    const job = { title, progress: null, cancel: () => stop.abort() };
    batch(() => {
      this.job.value = job;
      this.error.value = null;
    });
    try {
      await work({
        progress: (progress) => {
          this.job.value = { ...job, progress };
        },
        signal: stop.signal,
      });
      return true;
    } catch (error) {
      if (!(error instanceof Cancelled)) this.error.value = messageOf(error);
      return false;
    } finally {
      this.job.value = null;
    }
  }
}

/** Predictions of all nodes at every point of an attack; without an attack, those on the clean graph only. */
function followPredictions(model: TrainedModel | null, attack: PlayedAttack | null): readonly Int32Array[] {
  if (!model) return [];
  let now = Int32Array.from(model.predictions);
  if (!attack) return [now];
  return attack.points.map(({ nodes, predictions }) => {
    if (nodes.length === 0) return now;
    now = now.slice();
    for (const [k, node] of nodes.entries()) now[node] = predictions[k];
    return now;
  });
}

function nameOf(file: File): string {
  return file.webkitRelativePath || file.name;
}

/** Removes the top folder from the names of files if all of them are in it. */
function withoutSharedFolder(files: readonly { name: string; bytes: Uint8Array }[]): typeof files {
  const folder = `${files[0]?.name.split("/")[0]}/`;
  if (!files.every(({ name }) => name.startsWith(folder))) return files;
  return files.map(({ name, bytes }) => ({ name: name.slice(folder.length), bytes }));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
