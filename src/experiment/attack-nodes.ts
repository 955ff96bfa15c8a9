import { type LocalAttackKind, localAttacks } from "../attack/local/local-attacks.ts";
import { checkLocalBudget } from "../attack/local/local-budget.ts";
import type { LocalResult } from "../attack/local/local-result.ts";
import type { Influence, LocalBudget, LocalTask } from "../attack/local/local-task.ts";
import { nodeLogits } from "../attack/local/node-logits.ts";
import { nodeOutcome, reachesGoal } from "../attack/local/node-outcome.ts";
import { checkDifferentiable } from "../attack/victim.ts";
import { check, lookup } from "../core/errors.ts";
import { resolveOptions } from "../core/options/index.ts";
import { silent } from "../core/progress.ts";
import type { NumpyRandom } from "../data/numpy-random.ts";
import { rowDegrees } from "../graph/degrees.ts";
import type { Model } from "../nn/model.ts";
import type { NodePredictions } from "../nn/training/predict-nodes.ts";
import { predictNodes } from "../nn/training/predict-nodes.ts";
import { attackRng, buildModel } from "./build-model.ts";
import { onPoisoned } from "./poisoned-model.ts";
import { minDegreeFor, selectNodes } from "./select-nodes.ts";
import type { Session } from "./session.ts";
import {
  type NamedChoice,
  nameModel,
  openModel,
  type RunWatch,
  type TrainedChoice,
  trainIfNeeded,
} from "./trained-model.ts";

/** Which nodes to attack one by one, how, and what is measured afterwards. The model is the victim. */
export interface NodeAttackChoice extends TrainedChoice {
  readonly attack: string;
  /** Default: those that the published experiments would select, see {@link selectNodes}. */
  readonly nodes?: ArrayLike<number>;
  /** The class that they should get, by number; nodes that are of it already are left out. */
  readonly towards?: number;
  readonly influence?: Influence;
  /** The model on which the flips are found. Default: the attack's own, or the victim. */
  readonly surrogate?: string;
  /** Train the victim anew on each perturbed graph before the node is evaluated. */
  readonly poison?: boolean;
  /** Options of the attack itself. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** How many flips a node allows: a share of its degree, half of it if nothing is given, or a number. */
export interface NodeBudgetChoice {
  readonly epsilon?: number;
  readonly budget?: number;
  /** Ask for the fewest flips that reach the goal; at most 20 are tried if no budget is given. */
  readonly minimal?: boolean;
}

const DEFAULT_SHARE = 0.5;
const MOST_MINIMAL = 20;

/** A victim, and the model on which flips are found: another one, or the victim itself. */
export interface AttackedModels {
  readonly victim: Model;
  readonly surrogate: Model;
  dispose(): void;
}

/** A trained victim whose nodes can be attacked one by one, with several budgets. */
export class PreparedNodes {
  readonly choice: NamedChoice<NodeAttackChoice>;
  private readonly session: Session;
  private readonly kind: LocalAttackKind;
  private readonly models: AttackedModels;
  private readonly random: NumpyRandom;
  private known: NodePredictions | null = null;

  /** From models that are trained already. */
  constructor(session: Session, choice: NamedChoice<NodeAttackChoice>, models: AttackedModels) {
    this.session = session;
    this.choice = choice;
    this.kind = lookup(localAttacks, choice.attack, "attack");
    this.models = models;
    this.random = session.randomAfterSplit(choice.seed);
  }

  /** Opens or trains the models. Mistakes in the choice, or in any of the budgets to come, fail before anything is trained. */
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
      if (localAttacks[choice.attack].gradients) checkDifferentiable(choice.attack, surrogate.model);
      await trainIfNeeded(session, victim, choice, watch);
      if (surrogate !== victim) await trainIfNeeded(session, surrogate, { model: other, seed }, watch);
      return new PreparedNodes(session, choice, { victim: victim.model, surrogate: surrogate.model, dispose });
    } catch (error) {
      dispose();
      throw error;
    }
  }

  /** The nodes to attack with this budget. Selecting goes on with the generator of the split, so the order of budgets matters. */
  async nodesFor(budget: NodeBudgetChoice, { warn }: RunWatch = {}): Promise<Int32Array> {
    const { choice, session } = this;
    const { labels } = session.graph;
    const asked = choice.nodes ? Int32Array.from(choice.nodes) : await this.select(budget);
    const nodes = asked.filter((node) => labels[node] !== choice.towards);
    const left = asked.length - nodes.length;
    if (left > 0)
      warn?.(`${left} of ${asked.length} nodes are of the class to attack towards already and are left out`);
    check(nodes.length > 0, () => `${choice.attack}: there are no nodes to attack`);
    return nodes;
  }

  private async select(budget: NodeBudgetChoice): Promise<Int32Array> {
    const { session, models } = this;
    const { test } = session.split(this.choice.seed);
    this.known ??= await predictNodes(models.victim, session.view, test);
    const { labels, adjacency } = session.graph;
    const degrees = rowDegrees(adjacency);
    const allowed = localBudget(budget);
    const minDegree = "share" in allowed && allowed.share > 0 ? minDegreeFor(allowed.share) : 1;
    return selectNodes({ predictions: this.known, labels, degrees }, minDegree, this.random);
  }

  /** Attacks these nodes; results come as they are finished, and are about the victim. */
  async *attack(nodes: ArrayLike<number>, budget: NodeBudgetChoice, watch: RunWatch = {}): AsyncGenerator<LocalResult> {
    const { choice, session, kind } = this;
    const { progress = silent, signal } = watch;
    const { towards, influence } = choice;
    const task: LocalTask = {
      nodes,
      budget: localBudget(budget),
      rng: attackRng(choice.seed),
      victim: this.models.victim,
      ...(towards !== undefined && { towards }),
      ...(influence && { influence }),
      ...(signal && { signal }),
    };
    session.backend.memory.resetPeak();
    let done = 0;
    let successes = 0;
    for await (const found of kind.run(this.models.surrogate, session.view, task, choice.options)) {
      const result = choice.poison ? await this.poisoned(found, watch) : found;
      if (!result) return;
      done++;
      if (result.success) successes++;
      progress.update(done, nodes.length, `succeeded for ${successes} of ${done} nodes`);
      yield result;
    }
  }

  /** The same flips as seen by a victim that was trained on them; null if its training was ended. */
  async poisoned(result: LocalResult, { signal }: RunWatch = {}): Promise<LocalResult | null> {
    const { node, label, towards, clean, perturbation } = result;
    if (perturbation.flips.sources.length === 0) return result;
    const watch = signal ? { signal } : {};
    const [logits] = await onPoisoned(this.session, this.choice, perturbation.flips, watch, (model, perturbed) =>
      nodeLogits(model, perturbed, [node]),
    );
    if (signal?.aborted) return null;
    const adversarial = nodeOutcome(logits, label);
    return { ...result, adversarial, success: !reachesGoal(clean, towards) && reachesGoal(adversarial, towards) };
  }

  dispose(): void {
    this.models.dispose();
  }
}

/** The budget of a task. */
export function localBudget({ epsilon, budget, minimal = false }: NodeBudgetChoice): LocalBudget {
  check(budget === undefined || epsilon === undefined, () => "--budget and --epsilon say the same; give one of them");
  if (budget !== undefined) return { flips: budget, minimal };
  if (minimal && epsilon === undefined) return { flips: MOST_MINIMAL, minimal };
  return { share: epsilon ?? DEFAULT_SHARE, minimal };
}

/** Mistakes in a choice fail here, before anything is trained. */
export function checkNodeAttack(
  session: Session,
  choice: NodeAttackChoice,
  budgets: readonly NodeBudgetChoice[],
): void {
  const { attack, options = {}, surrogate, poison, weights } = choice;
  const kind = lookup(localAttacks, attack, "attack");
  resolveOptions(attack, kind.options, options);
  check(
    surrogate === undefined || kind.looksAtModel,
    () => `${attack} does not look at a model; leave out --surrogate`,
  );
  check(!poison || weights === undefined, () => "a poisoned model is trained anew; leave out --weights");
  check(
    !kind.undirected || !session.graph.directed,
    () => `${attack} attacks undirected graphs only; leave out --directed`,
  );
  for (const budget of budgets) checkLocalBudget(localBudget(budget));
}

/** The name of the model on which the flips are found. */
export function surrogateOf({ attack, model, surrogate }: NamedChoice<NodeAttackChoice>): string {
  return surrogate ?? localAttacks[attack].surrogate ?? model;
}
