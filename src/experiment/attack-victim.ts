import type { AttackResult, PolishReport, StageReport } from "../attack/attack.ts";
import { checkConstraints } from "../attack/attack-with.ts";
import { checkBudget } from "../attack/budget.ts";
import { Constraints } from "../attack/constraints/constraints.ts";
import { globalAttacks } from "../attack/global-attacks.ts";
import { lossByName } from "../attack/losses.ts";
import { type Classification, classify, classifyAfter, TargetOutcomes } from "../attack/target-outcomes.ts";
import { checkDifferentiable } from "../attack/victim.ts";
import { check, lookup } from "../core/errors.ts";
import { resolveOptions } from "../core/options/index.ts";
import { attackRng, type BuiltModel, buildModel } from "../defense/build-model.ts";
import { type Flips, flipActions } from "../graph/flips.ts";
import type { Model } from "../nn/model.ts";
import { nodeSet } from "../nn/training/node-set.ts";
import { type ConstraintFacts, constraintFacts } from "./constraint-facts.ts";
import type { SplitFacts } from "./opened-split.ts";
import { onPoisoned } from "./poisoned-model.ts";
import { peakResidentBytes } from "./resident-memory.ts";
import { type AttackChoice, budgetOf, runAttack } from "./run-attack.ts";
import type { Session } from "./session.ts";
import {
  checkModel,
  type NamedChoice,
  nameModel,
  openModel,
  type RunWatch,
  type TrainedChoice,
  trainIfNeeded,
} from "./trained-model.ts";

/** The victim (`model`), the attack on it, and how the victim is evaluated afterwards. */
export interface VictimChoice extends AttackChoice, TrainedChoice {
  /** The model on which the flips are found, if it is not the victim itself. */
  readonly surrogate?: string;
  /** Train the victim anew on the perturbed graph before it is evaluated. */
  readonly poison?: boolean;
}

/** How many flips are allowed; a tenth of the edges if neither is given. */
export type BudgetChoice = Pick<AttackChoice, "epsilon" | "budget">;

/** What `rgnn attack` reports. */
export interface AttackReport {
  readonly dataset: string;
  readonly model: string;
  readonly attack: string;
  /** `direct`: flips found on the victim itself; `transfer`: on another model. */
  readonly setting: "direct" | "transfer";
  readonly surrogate: string;
  /** `evasion`: the victim was trained on the clean graph; `poisoning`: on the perturbed one. */
  readonly time: "evasion" | "poisoning";
  readonly loss: string | null;
  readonly epsilon: number;
  readonly budget: number;
  readonly seed: number;
  readonly split: SplitFacts;
  readonly device: string;
  readonly numTargets: number;
  /** On the clean and on the returned discrete graph. */
  readonly accuracy: { readonly clean: number; readonly adversarial: number };
  /** Name of the objective, the number that the attack lowers. */
  readonly objective: string;
  /** Value of the objective, on the same graphs as the accuracy. */
  readonly score: { readonly clean: number; readonly adversarial: number };
  /** Which flips were allowed; null if all. */
  readonly constraints: ConstraintFacts | null;
  readonly flips: { readonly added: number; readonly removed: number };
  readonly epochs: number;
  readonly secondsPerEpoch: number;
  readonly seconds: number;
  /** Peak of the kernels' own memory during the attack. */
  readonly peakBytes: number;
  /** Peak memory of the whole process since it started. */
  readonly residentBytes: number;
  /** What polish did after the attack: the score before it and after each round. Null if there was none. */
  readonly polish: PolishReport | null;
  /** What each stage of `auto` achieved. */
  readonly stages: readonly StageReport[] | null;
  readonly interrupted: boolean;
}

/** One attack on a victim: its report and its full result. */
export interface AttackRun {
  readonly report: AttackReport;
  /** Outcomes are the victim's, even if the flips were found on a surrogate. */
  readonly result: AttackResult;
}

/** Prepares the victim, finds flips on it or on a surrogate, and reports what they do to the victim. */
export async function attackVictim(session: Session, choice: VictimChoice, watch: RunWatch = {}): Promise<AttackRun> {
  const victim = await PreparedVictim.open(session, choice, [choice], watch);
  return victim.attack(choice, watch).finally(() => victim.dispose());
}

/** A victim, and its surrogate if there is one, ready to be attacked with several budgets: both are trained once. */
export class PreparedVictim {
  private readonly session: Session;
  private readonly choice: NamedChoice<VictimChoice>;
  private readonly victim: BuiltModel;
  /** Another model of the same graph, if one was asked for or the attack needs one. */
  private readonly surrogate: BuiltModel | null;
  /** Flips of the previous budget, for attacks that continue from them. */
  private found: Flips | null = null;

  private constructor(
    session: Session,
    choice: NamedChoice<VictimChoice>,
    { victim, surrogate }: { victim: BuiltModel; surrogate: BuiltModel | null },
  ) {
    this.session = session;
    this.choice = choice;
    this.victim = victim;
    this.surrogate = surrogate;
  }

  /** Opens or trains the models. Checks the choice and all budgets before training anything. */
  static async open(
    session: Session,
    given: VictimChoice,
    budgets: readonly BudgetChoice[],
    watch: RunWatch = {},
  ): Promise<PreparedVictim> {
    checkPoison(given);
    const choice = nameModel(given);
    checkChoice(session, choice, budgets);
    const { seed, attack } = choice;
    const victim = openModel(session, choice, watch);
    const built = [victim];
    try {
      const other = surrogateFor(choice, victim.model);
      const surrogate = other === null ? null : buildModel(session, { model: other, seed });
      if (surrogate) built.push(surrogate);
      if (globalAttacks[attack].asksFor === "gradients") checkDifferentiable(attack, (surrogate ?? victim).model);
      await trainIfNeeded(session, victim, choice, watch);
      if (other !== null && surrogate) await trainIfNeeded(session, surrogate, { model: other, seed }, watch);
      return new PreparedVictim(session, choice, { victim, surrogate });
    } catch (error) {
      for (const { model } of built) model.dispose();
      throw error;
    }
  }

  private get transferred(): boolean {
    return this.surrogate !== null && !globalAttacks[this.choice.attack].takesSurrogates;
  }

  /** One attack with this budget. */
  async attack({ epsilon, budget }: BudgetChoice, watch: RunWatch = {}): Promise<AttackRun> {
    const { session, victim, transferred } = this;
    const { epsilon: _, budget: __, ...rest } = this.choice;
    const choice: NamedChoice<VictimChoice> = {
      ...rest,
      ...(epsilon !== undefined && { epsilon }),
      ...(budget !== undefined && { budget }),
    };
    const attacked = transferred && this.surrogate ? this.surrogate : victim;
    const found = await runAttack(session, attacked.model, { ...choice, ...this.goingOn(choice) }, watch);
    this.found = found.perturbation.flips;
    const nodes = attackedNodes(session, choice);
    const { flips } = found.perturbation;
    const { objective } = choice;
    const clean = transferred ? await classify(victim.model, session.view, nodes, objective) : found.targets.clean;
    const adversarial = choice.poison
      ? await classifyPoisoned(session, choice, flips, nodes, watch)
      : transferred
        ? await classifyAfter(victim.model, session.view, flips, nodes, objective)
        : found.targets.adversarial;
    const outcomes = new TargetOutcomes(session.graph.labels, nodes, clean, adversarial);
    const result: AttackResult = {
      ...found,
      targets: outcomes,
      accuracy: outcomes.accuracy,
      score: { ...found.score, clean: clean.score, adversarial: adversarial.score },
      interrupted: watch.signal?.aborted ?? false,
    };
    return { result, report: describe(session, choice, transferred, result) };
  }

  /** Options of the attack: the previous budget's flips to continue from, and the surrogate. */
  private goingOn({ attack, seed }: VictimChoice): Pick<VictimChoice, "resume" | "surrogates"> {
    const { chains, takesSurrogates } = globalAttacks[attack];
    return {
      ...(this.found && chains && { resume: { from: this.found, rng: attackRng(seed) } }),
      ...(this.surrogate && takesSurrogates && { surrogates: [this.surrogate.model] }),
    };
  }

  dispose(): void {
    this.victim.model.dispose();
    this.surrogate?.model.dispose();
  }
}

/**
 * The model to open besides the victim: the one asked for, or a GCN if the attack takes surrogates and the victim has
 * no gradients.
 */
function surrogateFor({ surrogate, model, attack }: NamedChoice<VictimChoice>, victim: Model): string | null {
  if (surrogate !== undefined) return surrogate === model ? null : surrogate;
  return globalAttacks[attack].takesSurrogates && !victim.differentiable.edges ? "gcn" : null;
}

/**
 * Throws if the models of a choice cannot be opened. Called for all runs before the first one: a mistake in a later run
 * should not cost the results of earlier ones.
 */
export function checkVictim(session: Session, choice: VictimChoice): void {
  checkPoison(choice);
  checkModel(session, choice);
}

function checkPoison({ poison, weights }: VictimChoice): void {
  check(!poison || weights === undefined, () => "a poisoned model is trained anew; leave out --weights");
}

/** Mistakes in a choice fail here, before anything is trained. */
function checkChoice(session: Session, choice: VictimChoice, budgets: readonly BudgetChoice[]): void {
  const { surrogate, attack, options = {}, loss, constraints } = choice;
  const kind = lookup(globalAttacks, attack, "attack");
  resolveOptions(attack, kind.options, options);
  kind.check?.(options);
  check(loss === undefined || kind.loss !== null, () => `${attack} has no loss; leave out --loss`);
  check(
    surrogate === undefined || kind.asksFor !== "nothing",
    () => `${attack} does not look at a model; leave out --surrogate`,
  );
  if (loss !== undefined) lossByName(loss);
  if (constraints) checkConstraints(attack, session.view, new Constraints(session.graph, constraints));
  for (const budget of budgets) checkBudget(session.graph, budgetOf(session, budget));
  nodeSet(session.view, attackedNodes(session, choice)).dispose();
}

/** Classifies nodes with a model that is trained on the perturbed graph. */
async function classifyPoisoned(
  session: Session,
  choice: NamedChoice<VictimChoice>,
  flips: Flips,
  nodes: ArrayLike<number>,
  watch: RunWatch,
): Promise<Classification> {
  const { signal, ...unwatched } = watch; // if the attack was interrupted, the model is still trained to the end
  const training = signal?.aborted ? unwatched : watch;
  return onPoisoned(session, choice, flips, training, (model, perturbed) =>
    classify(model, perturbed, nodes, choice.objective),
  );
}

function attackedNodes(session: Session, { nodes, seed }: VictimChoice): ArrayLike<number> {
  return nodes ?? session.split(seed).test;
}

/**
 * Name of the loss that the attack maximised: the one chosen, the objective's, or the attack's default; null if the
 * attack has none.
 */
function lossName({ attack, loss, objective, options = {} }: VictimChoice): string | null {
  const kind = globalAttacks[attack];
  if (loss !== undefined || kind.loss === null) return loss ?? null;
  return objective?.loss ? objective.name : (kind.lossWith?.(options) ?? kind.loss);
}

function describe(
  session: Session,
  choice: NamedChoice<VictimChoice>,
  transferred: boolean,
  { perturbation, targets, accuracy, score, cost, polish, stages, interrupted }: AttackResult,
): AttackReport {
  const budget = budgetOf(session, choice);
  const actions = flipActions(session.graph, perturbation.flips);
  const added = actions.filter((action) => action === "add").length;
  return {
    dataset: session.dataset,
    model: choice.model,
    attack: choice.attack,
    setting: transferred ? "transfer" : "direct",
    surrogate: choice.surrogate ?? choice.model,
    time: choice.poison ? "poisoning" : "evasion",
    loss: lossName(choice),
    epsilon: choice.epsilon ?? budget / session.graph.numEdges,
    budget,
    seed: choice.seed,
    split: session.splitFacts(choice.seed),
    device: session.device,
    numTargets: targets.nodes.length,
    accuracy,
    objective: score.objective,
    score: { clean: score.clean, adversarial: score.adversarial },
    constraints: choice.constraints ? constraintFacts(session.graph, choice.constraints) : null,
    flips: { added, removed: actions.length - added },
    ...cost,
    residentBytes: peakResidentBytes(),
    polish,
    stages,
    interrupted,
  };
}
