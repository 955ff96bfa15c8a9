import { globalAttacks } from "../attack/global-attacks.ts";
import { localAttacks } from "../attack/local/local-attacks.ts";
import type { Backend } from "../backend/backend.ts";
import { GPU_PAYS_FROM } from "../backend/webgpu/real-gpu.ts";
import { check, Interrupted } from "../core/errors.ts";
import type { Json } from "../core/options/index.ts";
import type { LoadedGraph } from "../data/preprocess.ts";
import { modelKinds } from "../defense/model-kinds.ts";
import { checkFlips } from "../graph/flips.ts";
import { attackOneNode, nodeAttackNames } from "./attack-one-node.ts";
import type { ChangedPredictions, Choice, LabCall, LabRequest, LabResult, OpenedGraph, SeenNode } from "./calls.ts";
import { Fields } from "./fields.ts";
import { type GraphLoader, listGraphs, loadFiles, loadNamed } from "./graph-sources.ts";
import { flipsOf, LabGraph } from "./lab-graph.ts";
import { LabModel, marginJson } from "./lab-model.ts";
import type { LabWatch } from "./lab-watch.ts";
import { playAttack } from "./play-attack.ts";
import { seeNode } from "./see-node.ts";

/** Options of a {@link Lab}. */
export interface LabOptions {
  /** Where the lab computes, as text for people. */
  readonly device: string;
  /** Provides graphs in addition to the built-in ones. */
  readonly loader?: GraphLoader;
  /** Opens a GPU, or throws if there is none. Called once, for the first graph large enough to gain from it. */
  readonly openGpu?: () => Promise<Backend>;
}

/** Trained models that are kept; training another one drops the oldest. */
const MOST_MODELS = 6;
/** A margin that changes by less than this counts as unchanged: the difference is rounding. */
const SAME = 1e-5;

type Calls = { readonly [Name in LabCall]: (fields: Fields, watch: LabWatch) => Promise<LabResult<Name>> };

/**
 * An interactive session: one graph, models trained on it, and attacks on them; {@link LabCalls} lists the calls. The
 * same code runs behind a server and in a worker of a page. Calls run one after the other.
 *
 * @example
 * const lab = new Lab(await createWasm(), { device: "wasm" });
 * const { graph } = await lab.call("open", { name: "synthetic-citation" });
 * const { model, accuracy } = await lab.call("train", { graph, model: "gcn" });
 * const { points } = await lab.call("attack", { model, attack: "prbcd", epsilon: 0.05 });
 * await lab.close();
 */
export class Lab {
  private readonly backend: Backend;
  private readonly options: LabOptions;
  private opened: LabGraph | null = null;
  private models: LabModel[] = [];
  private made = 0;
  private last: Promise<unknown> = Promise.resolve();
  private gpu: Promise<Backend | null> | null = null;

  /** The lab owns the backend: `close` also closes it. */
  constructor(backend: Backend, options: LabOptions) {
    this.backend = backend;
    this.options = options;
  }

  /** Runs a call after the calls before it have ended. An unknown name or an invalid request is a `UserError`. */
  call<Name extends LabCall>(name: Name, request: LabRequest<Name>, watch?: LabWatch): Promise<LabResult<Name>>;
  call(name: string, request: unknown, watch?: LabWatch): Promise<Json>;
  call(name: string, request: unknown, watch: LabWatch = {}): Promise<Json> {
    const answer = this.last.then(async () => {
      check(Object.hasOwn(this.calls, name), () => `unknown call "${name}"; known are ${known(this.calls)}`);
      if (watch.signal?.aborted) throw new Interrupted(`${name} was ended before it began`);
      return (await this.calls[name as LabCall](new Fields(name, request), watch)) as unknown as Json;
    });
    this.last = answer.catch(() => {});
    return answer;
  }

  /** Waits for the calls under way, then frees everything. */
  async close(): Promise<void> {
    await this.last;
    this.closeGraph();
    await (await this.gpu)?.close();
    await this.backend.close();
  }

  private readonly calls: Calls = {
    offer: async (fields) => {
      fields.end();
      return {
        graphs: listGraphs(this.options.loader),
        models: choices(modelKinds),
        attacks: choices(globalAttacks),
        nodeAttacks: choices(localAttacks).filter(({ name }) => nodeAttackNames.includes(name)),
        device: this.options.device,
      };
    },
    open: async (fields) => {
      const name = fields.text("name");
      fields.end();
      return this.openGraph(await loadNamed(name, this.options.loader));
    },
    graph: async (fields) => {
      const files = fields.list("files");
      fields.end();
      return this.openGraph(await loadFiles(files));
    },
    train: async (fields, watch) => {
      const home = this.graphOf(fields);
      const model = fields.text("model", "gcn");
      const seed = fields.wholeNumber("seed", { from: 0 }, 0);
      const set = fields.object("set");
      fields.end();
      const trained = await LabModel.train(this.nextId("model"), home, { model, seed, set }, watch);
      this.models.push(trained.model);
      if (this.models.length > MOST_MODELS) this.models.shift()?.dispose();
      return trained.result;
    },
    attack: (fields, watch) => playAttack(this.modelOf(fields), fields, watch),
    attackNode: (fields, watch) => attackOneNode(this.modelOf(fields), fields, watch),
    predict: (fields) => this.predict(fields),
    node: (fields) => this.see(fields),
  };

  private async openGraph(loaded: LoadedGraph): Promise<OpenedGraph> {
    const gpu = loaded.graph.numNodes >= GPU_PAYS_FROM ? await this.openGpu() : null;
    const opened = new LabGraph(this.nextId("graph"), gpu ?? this.backend, loaded);
    this.closeGraph();
    this.opened = opened;
    return opened.describe();
  }

  /** The GPU, if there is one. */
  private openGpu(): Promise<Backend | null> {
    const { openGpu } = this.options;
    if (openGpu) this.gpu ??= openGpu().catch(() => null);
    return this.gpu ?? Promise.resolve(null);
  }

  private async predict(fields: Fields): Promise<ChangedPredictions> {
    const model = this.modelOf(fields);
    const flips = flipsOf(model.home.graph, fields.wholeNumbers("flips"));
    fields.end();
    checkFlips(model.home.graph, flips);
    const after = await model.predictAfter(flips);
    const { clean } = model;
    const differs = (node: number) =>
      after.predictions[node] !== clean.predictions[node] || Math.abs(after.margins[node] - clean.margins[node]) > SAME;
    const nodes = [...after.nodes.filter(differs)];
    return {
      nodes,
      predictions: nodes.map((node) => after.predictions[node]),
      margins: nodes.map((node) => marginJson(after.margins[node])),
      accuracy: model.accuracyOf(after),
    };
  }

  private async see(fields: Fields): Promise<SeenNode> {
    const { graph } = this.graphOf(fields);
    const model = fields.has("model") ? this.modelOf(fields) : null;
    const node = fields.wholeNumber("node", { from: 0, to: graph.numNodes - 1 });
    const flips = flipsOf(graph, fields.wholeNumbers("flips", []));
    fields.end();
    return seeNode(graph, node, flips, model);
  }

  private graphOf(fields: Fields): LabGraph {
    const id = fields.text("graph");
    check(this.opened?.id === id, () => `the graph "${id}" is not open any more; open it again`);
    return this.opened!;
  }

  private modelOf(fields: Fields): LabModel {
    const id = fields.text("model");
    const model = this.models.find((each) => each.id === id);
    check(model !== undefined, () => `the model "${id}" is not there any more; train it again`);
    return model;
  }

  private nextId(what: string): string {
    return `${what}-${++this.made}`;
  }

  private closeGraph(): void {
    for (const model of this.models) model.dispose();
    this.models = [];
    this.opened?.dispose();
    this.opened = null;
  }
}

function choices(kinds: Readonly<Record<string, { readonly summary: string }>>): Choice[] {
  return Object.entries(kinds).map(([name, { summary }]) => ({ name, summary }));
}

function known(table: object): string {
  return Object.keys(table).join(", ");
}
