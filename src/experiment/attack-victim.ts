import type { AttackResult } from "../attack/attack.ts";
import { checkBudget } from "../attack/budget.ts";
import { globalAttacks } from "../attack/global-attacks.ts";
import { lossByName } from "../attack/losses.ts";
import { type Classification, classify, classifyAfter, TargetOutcomes } from "../attack/target-outcomes.ts";
import { checkDifferentiable } from "../attack/victim.ts";
import { check, lookup } from "../core/errors.ts";
import { resolveOptions } from "../core/options/index.ts";
import { type Flips, flipActions } from "../graph/flips.ts";
import { nodeSet } from "../nn/training/node-set.ts";
import { type BuiltModel, buildModel } from "./build-model.ts";
import { onPoisoned } from "./poisoned-model.ts";
import { peakResidentBytes } from "./resident-memory.ts";
import { type AttackChoice, budgetOf, runAttack } from "./run-attack.ts";
import type { Session, SplitFacts } from "./session.ts";
import {
  checkModel,
  type NamedChoice,
  nameModel,
  openModel,
  type RunWatch,
  type TrainedChoice,
  trainIfNeeded,
} from "./trained-model.ts";

/** Whom to attack, how, and what is measured afterwards. The model is the victim. */
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
  readonly flips: { readonly added: number; readonly removed: number };
  readonly epochs: number;
  readonly secondsPerEpoch: number;
  readonly seconds: number;
  /** Of the kernels' own memory, during the attack. */
  readonly peakBytes: number;
  /** Of the whole process, since it began. */
  readonly residentBytes: number;
  readonly interrupted: boolean;
}

/** One attack on a victim: what is reported of it, and all that it found. */
export interface AttackRun {
  readonly report: AttackReport;
  /** Its outcomes are those of the victim. */
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
  /** The victim itself where the attack is direct. */
  private readonly surrogate: BuiltModel;

  private constructor(
    session: Session,
    choice: NamedChoice<VictimChoice>,
    { victim, surrogate }: { victim: BuiltModel; surrogate: BuiltModel },
  ) {
    this.session = session;
    this.choice = choice;
    this.victim = victim;
    this.surrogate = surrogate;
  }

  /** Opens or trains the models. Mistakes in the choice, or in any of the budgets to come, fail before anything is trained. */
  static async open(
    session: Session,
    given: VictimChoice,
    budgets: readonly BudgetChoice[],
    watch: RunWatch = {},
  ): Promise<PreparedVictim> {
    checkPoison(given);
    const choice = nameModel(given);
    checkChoice(session, choice, budgets);
    const { seed, surrogate: other, attack } = choice;
    const transferred = other !== undefined && other !== choice.model;
    const built = [openModel(session, choice, watch)];
    try {
      if (transferred) built.push(buildModel(session, { model: other, seed }));
      const victim = built[0];
      const surrogate = built.at(-1)!;
      if (globalAttacks[attack].loss !== null) checkDifferentiable(attack, surrogate.model);
      await trainIfNeeded(session, victim, choice, watch);
      if (transferred) await trainIfNeeded(session, surrogate, { model: other, seed }, watch);
      return new PreparedVictim(session, choice, { victim, surrogate });
    } catch (error) {
      for (const { model } of built) model.dispose();
      throw error;
    }
  }

  private get transferred(): boolean {
    return this.surrogate !== this.victim;
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
    const found = await runAttack(session, this.surrogate.model, choice, watch);
    const nodes = attackedNodes(session, choice);
    const { flips } = found.perturbation;
    const clean = transferred ? await classify(victim.model, session.view, nodes) : found.targets.clean;
    const adversarial = choice.poison
      ? await classifyPoisoned(session, choice, flips, nodes, watch)
      : transferred
        ? await classifyAfter(victim.model, session.view, flips, nodes)
        : found.targets.adversarial;
    const outcomes = new TargetOutcomes(session.graph.labels, nodes, clean, adversarial);
    const result: AttackResult = {
      ...found,
      targets: outcomes,
      accuracy: outcomes.accuracy,
      interrupted: watch.signal?.aborted ?? false,
    };
    return { result, report: describe(session, choice, transferred, result) };
  }

  dispose(): void {
    this.victim.model.dispose();
    if (this.transferred) this.surrogate.model.dispose();
  }
}

/** Throws where the models of a choice cannot be opened, for runs that come later: they should not cost those before them. */
export function checkVictim(session: Session, choice: VictimChoice): void {
  checkPoison(choice);
  checkModel(session, choice);
}

function checkPoison({ poison, weights }: VictimChoice): void {
  check(!poison || weights === undefined, () => "a poisoned model is trained anew; leave out --weights");
}

/** Mistakes in a choice fail here, before anything is trained. */
function checkChoice(session: Session, choice: VictimChoice, budgets: readonly BudgetChoice[]): void {
  const { surrogate, attack, options = {}, loss } = choice;
  const kind = lookup(globalAttacks, attack, "attack");
  resolveOptions(attack, kind.options, options);
  kind.check?.(options);
  check(loss === undefined || kind.loss !== null, () => `${attack} has no loss; leave out --loss`);
  check(
    surrogate === undefined || kind.loss !== null,
    () => `${attack} does not look at a model; leave out --surrogate`,
  );
  if (loss !== undefined) lossByName(loss);
  for (const budget of budgets) checkBudget(session.graph, budgetOf(session, budget));
  nodeSet(session.view, attackedNodes(session, choice)).dispose();
}

/** What a model does that was trained on the perturbed graph. */
async function classifyPoisoned(
  session: Session,
  choice: NamedChoice,
  flips: Flips,
  nodes: ArrayLike<number>,
  watch: RunWatch,
): Promise<Classification> {
  const { signal, ...unwatched } = watch; // an attack that was ended early still deserves a trained model
  const training = signal?.aborted ? unwatched : watch;
  return onPoisoned(session, choice, flips, training, (model, perturbed) => classify(model, perturbed, nodes));
}

function attackedNodes(session: Session, { nodes, seed }: VictimChoice): ArrayLike<number> {
  return nodes ?? session.split(seed).test;
}

function describe(
  session: Session,
  choice: NamedChoice<VictimChoice>,
  transferred: boolean,
  { perturbation, targets, accuracy, cost, interrupted }: AttackResult,
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
    loss: choice.loss ?? globalAttacks[choice.attack].loss,
    epsilon: choice.epsilon ?? budget / session.graph.numEdges,
    budget,
    seed: choice.seed,
    split: session.splitFacts(choice.seed),
    device: session.device,
    numTargets: targets.nodes.length,
    accuracy,
    flips: { added, removed: actions.length - added },
    ...cost,
    residentBytes: peakResidentBytes(),
    interrupted,
  };
}
