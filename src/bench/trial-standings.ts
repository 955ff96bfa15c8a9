import { accuracyObjective } from "../attack/objective.ts";
import { type HostStack, readStack } from "../attack/standing/host-stack.ts";
import { openPatched } from "../attack/standing/patched-standing.ts";
import type { Standing } from "../attack/standing/standing.ts";
import { openWholePass } from "../attack/standing/whole-pass-standing.ts";
import { type Classification, classify, classifyAfter } from "../attack/target-outcomes.ts";
import { Victim } from "../attack/victim.ts";
import type { EdgeChanges } from "../backend/backend.ts";
import { createWasm } from "../backend/wasm/wasm.ts";
import { Rng } from "../core/rng.ts";
import type { Graph } from "../graph/graph.ts";
import type { Gcn } from "../nn/models/gcn.ts";
import { train, trainDefaults } from "../nn/training/train.ts";
import { type DeviceGraph, toDevice } from "../tensor/index.ts";
import { caseModel, caseSplit, type EpochCase } from "./epoch-case.ts";
import { failIf } from "./sample.ts";
import { changeAt } from "./trial-changes.ts";
import { disagreement } from "./trial-check.ts";

/** Epochs of training before: in an untrained model, changes of edges hardly change predictions. */
const LEARN = 10;

/** The clean graph of a case, prepared for both kinds of trials: patched and with whole passes. */
export class TrialStandings {
  readonly threads: number;
  readonly patched: Standing;
  readonly whole: Standing;
  readonly layers: HostStack["layers"];
  private readonly victim: Victim;
  private readonly nodes: Int32Array;
  private readonly clean: Classification;

  private constructor(threads: number, parts: Parts) {
    this.threads = threads;
    this.patched = parts.patched;
    this.whole = parts.whole;
    this.layers = parts.layers;
    this.victim = parts.victim;
    this.nodes = parts.nodes;
    this.clean = parts.clean;
  }

  /** Trains the model of a case briefly; the result does not depend on the number of threads. */
  static async open(epochCase: EpochCase, graph: Graph, threads: number): Promise<TrialStandings> {
    const backend = await createWasm({ threads });
    const view = toDevice(backend, graph);
    const model = caseModel(backend, graph, epochCase);
    const { train: learned, val, test: nodes } = caseSplit(graph);
    await train(model, view, { train: learned, val, rng: new Rng(1) }, { ...trainDefaults, maxEpochs: LEARN });
    return new TrialStandings(threads, await partsOf(model, view, nodes));
  }

  /** Ends the benchmark unless patched trials of these changes agree with whole passes on the changed graphs. */
  async check(changes: EdgeChanges): Promise<void> {
    const { model, view } = this.victim;
    const { score, potential } = await this.patched.gains(changes);
    for (let t = 0; t + 1 < changes.offsets.length; t++) {
      const { margins } = await classifyAfter(model, view, changeAt(changes, t), this.nodes);
      failIf(disagreement({ score: score[t], potential: potential[t] }, this.clean.margins, margins));
    }
  }

  async close(): Promise<void> {
    this.patched.close();
    this.whole.close();
    this.victim.dispose();
    await this.victim.view.backend.close();
  }
}

interface Parts {
  readonly patched: Standing;
  readonly whole: Standing;
  readonly layers: HostStack["layers"];
  readonly victim: Victim;
  readonly nodes: Int32Array;
  readonly clean: Classification;
}

async function partsOf(model: Gcn, view: DeviceGraph, nodes: Int32Array): Promise<Parts> {
  const victim = new Victim(model, view, nodes);
  const { perNode } = accuracyObjective;
  const stack = await readStack(model, view);
  if (!stack || !perNode) throw new Error("bench: a GCN and its accuracy can be patched");
  return {
    patched: await openPatched(stack, view, { nodes, perNode }),
    whole: await openWholePass(victim),
    layers: stack.layers,
    victim,
    nodes,
    clean: await classify(model, view, nodes),
  };
}
