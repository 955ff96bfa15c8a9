import { localAttacks } from "../attack/local/local-attacks.ts";
import type { LocalResult } from "../attack/local/local-result.ts";
import { check } from "../core/errors.ts";
import { silent } from "../core/progress.ts";
import type { NumpyRandom } from "../data/numpy-random.ts";
import { buildModel } from "../defense/build-model.ts";
import { rowDegrees } from "../graph/degrees.ts";
import type { Model } from "../nn/model.ts";
import { type NodePredictions, predictNodes } from "../nn/training/predict-nodes.ts";
import { type NodeAttack, type NodeWork, workInTurn } from "./attack-in-turn.ts";
import {
  checkNodeAttack,
  localBudget,
  type NodeAttackChoice,
  type NodeBudgetChoice,
  surrogateOf,
} from "./node-attack-choice.ts";
import { nodeJob } from "./node-workers/node-job.ts";
import { attackSideBySide } from "./node-workers/side-by-side.ts";
import { threadsFor } from "./node-workers/threads-for.ts";
import { nodesToLead } from "./nodes-to-lead.ts";
import { minDegreeOf, selectNodes } from "./select-nodes.ts";
import type { Session } from "./session.ts";
import { type NamedChoice, nameModel, openModel, type RunWatch, trainIfNeeded } from "./trained-model.ts";

/** A victim, and the model on which flips are found: another one, or the victim itself. */
export interface AttackedModels {
  readonly victim: Model;
  readonly surrogate: Model;
  dispose(): void;
}

/** Threads, memory and time of an attack. */
export interface NodeAttackCost {
  /** Threads that attacked nodes side by side. */
  readonly threads: number;
  /** Peak of the kernels' own memory. */
  readonly peakBytes: number;
  readonly seconds: number;
}

/** A trained victim whose nodes can be attacked one by one, with several budgets. */
export class PreparedNodes {
  readonly choice: NamedChoice<NodeAttackChoice>;
  /** Cost of the last attack. */
  cost: NodeAttackCost = { threads: 1, peakBytes: 0, seconds: 0 };
  private readonly session: Session;
  private readonly models: AttackedModels;
  private readonly random: NumpyRandom;
  private known: NodePredictions | null = null;

  /** From models that are trained already. */
  constructor(session: Session, choice: NamedChoice<NodeAttackChoice>, models: AttackedModels) {
    this.session = session;
    this.choice = choice;
    this.models = models;
    this.random = session.randomAfterSplit(choice.seed);
  }

  /** Opens or trains the models. Checks the choice and all budgets before training anything. */
  static async open(
    session: Session,
    given: NodeAttackChoice,
    budgets: readonly NodeBudgetChoice[],
    watch: RunWatch = {},
  ): Promise<PreparedNodes> {
    const choice = nameModel(given);
    checkNodeAttack(session, choice, budgets);
    const { seed } = choice;
    const other = surrogateOf(choice);
    const built = [openModel(session, choice, watch)];
    const dispose = () => {
      for (const { model } of built) model.dispose();
    };
    try {
      if (other !== choice.model) built.push(buildModel(session, { model: other, seed }));
      const victim = built[0];
      const surrogate = built.at(-1)!;
      localAttacks[choice.attack].checkModel(surrogate.model, choice.influence ?? "direct");
      await trainIfNeeded(session, victim, choice, watch);
      if (surrogate !== victim) await trainIfNeeded(session, surrogate, { model: other, seed }, watch);
      return new PreparedNodes(session, choice, { victim: victim.model, surrogate: surrogate.model, dispose });
    } catch (error) {
      dispose();
      throw error;
    }
  }

  /**
   * The nodes to attack with this budget. Selection continues the random generator that drew the split, so the order of
   * budgets matters.
   */
  async nodesFor(budget: NodeBudgetChoice, watch: RunWatch = {}): Promise<Int32Array> {
    const { choice, session } = this;
    const { labels } = session.graph;
    const asked = choice.nodes ? Int32Array.from(choice.nodes) : await this.select(budget);
    const labelsOfAsked = asked.map((node) => labels[node]);
    const nodes = nodesToLead(asked, labelsOfAsked, choice, watch);
    check(nodes.length > 0, () => `${choice.attack}: there are no nodes to attack`);
    return nodes;
  }

  private async select(budget: NodeBudgetChoice): Promise<Int32Array> {
    const { session, models } = this;
    const { test } = session.split(this.choice.seed);
    this.known ??= await predictNodes(models.victim, session.view, test);
    const { labels, adjacency } = session.graph;
    const degrees = rowDegrees(adjacency);
    const pool = {
      predictions: this.known,
      labelOf: (node: number) => labels[node],
      degreeOf: (node: number) => degrees[node],
    };
    return selectNodes(pool, minDegreeOf(localBudget(budget)), this.random);
  }

  /**
   * Attacks these nodes, on several threads where that pays. Results come in the order of `nodes`, each as soon as it
   * and all before it are finished; outcomes are the victim's.
   */
  attack(nodes: ArrayLike<number>, budget: NodeBudgetChoice, watch: RunWatch = {}): AsyncGenerator<LocalResult> {
    return this.run({ nodes, budget: localBudget(budget) }, watch);
  }

  /** Evaluates the same flips as poisoning: for each node, the victim is trained anew on that node's flips. */
  poisoned(results: readonly LocalResult[], watch: RunWatch = {}): AsyncGenerator<LocalResult> {
    return this.run({ nodes: results.map(({ node }) => node), budget: { flips: 0 }, found: results }, watch);
  }

  private async *run(work: NodeWork, { progress = silent, signal }: RunWatch): AsyncGenerator<LocalResult> {
    const { session } = this;
    const attack: NodeAttack = { opened: session, choice: this.choice, ...this.models };
    const total = work.nodes.length;
    let done = 0;
    let successes = 0;
    const finished = ({ success }: LocalResult) => {
      done++;
      if (success) successes++;
      progress.update(done, total, `succeeded for ${successes} of ${done} nodes`);
    };
    session.backend.memory.resetPeak();
    const threads = threadsFor(session, total);
    const job = threads > 1 ? await nodeJob(attack, work) : null;
    const spend = this.meter(job ? threads : 1);
    progress.update(0, total, job ? `${total} nodes on ${threads} threads` : `${total} nodes`);
    if (job) {
      yield* attackSideBySide(job, threads, { signal, finished, ended: spend });
      return;
    }
    for await (const result of workInTurn(attack, work, { signal })) {
      finished(result);
      spend(0);
      yield result;
    }
  }

  /**
   * Starts measuring. The returned function updates `cost`; its argument is memory outside the session, that of
   * threads.
   */
  private meter(threads: number): (otherBytes: number) => void {
    const { memory } = this.session.backend;
    const begin = performance.now();
    const spend = (otherBytes: number) => {
      this.cost = { threads, peakBytes: memory.peak + otherBytes, seconds: (performance.now() - begin) / 1000 };
    };
    spend(0);
    return spend;
  }

  dispose(): void {
    this.models.dispose();
  }
}
