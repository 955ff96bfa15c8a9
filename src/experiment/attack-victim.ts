import type { AttackResult } from "../attack/attack.ts";
import { checkBudget } from "../attack/budget.ts";
import { globalAttacks } from "../attack/global-attacks.ts";
import { lossByName } from "../attack/losses.ts";
import { type Classification, classify, classifyAfter, TargetOutcomes } from "../attack/target-outcomes.ts";
import { checkDifferentiable } from "../attack/victim.ts";
import { check, lookup } from "../core/errors.ts";
import { resolveOptions } from "../core/options/index.ts";
import { loadWeights, readWeightsConfig } from "../files/weights-files.ts";
import { type Flips, flipActions } from "../graph/flips.ts";
import type { Hyperparameters } from "../nn/models/model-kind.ts";
import { nodeSet } from "../nn/training/node-set.ts";
import type { Watch } from "../nn/training/train.ts";
import { withFlips } from "../tensor/index.ts";
import { type BuiltModel, buildModel, type ModelChoice, trainModel } from "./build-model.ts";
import { modelKinds } from "./models.ts";
import { type AttackChoice, budgetOf, runAttack } from "./run-attack.ts";
import type { Session, SplitFacts } from "./session.ts";

/** Whom to attack, how, and what is measured afterwards. */
export interface VictimChoice extends AttackChoice {
  /** The victim. Default: that of the weights, or a gcn. Where both are given, they must agree. */
  readonly model?: string;
  /** Hyperparameters of the victim. */
  readonly set?: Hyperparameters;
  /** Trained weights of the victim; without, it is trained first. */
  readonly weights?: string;
  /** The model on which the flips are found, if it is not the victim itself. */
  readonly surrogate?: string;
  /** Train the victim anew on the perturbed graph before it is evaluated. */
  readonly poison?: boolean;
}

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
  readonly accuracy: { readonly clean: number; readonly adversarial: number };
  readonly flips: { readonly added: number; readonly removed: number };
  readonly epochs: number;
  readonly secondsPerEpoch: number;
  readonly seconds: number;
  readonly peakBytes: number;
  readonly interrupted: boolean;
}

/**
 * Prepares the victim, finds flips on it or on a surrogate, and reports what they do to the victim. The outcomes of the result are
 * those of the victim, too.
 */
export async function attackVictim(
  session: Session,
  given: VictimChoice,
  watch: Watch = {},
): Promise<{ report: AttackReport; result: AttackResult }> {
  const choice: NamedVictim = { ...given, model: victimName(given) };
  const { seed, weights } = choice;
  checkChoice(session, choice);
  const transferred = choice.surrogate !== undefined && choice.surrogate !== choice.model;
  const victimChoice: ModelChoice = { model: choice.model, seed, set: choice.set ?? {} };
  const surrogateChoice: ModelChoice = transferred ? { model: choice.surrogate!, seed } : victimChoice;
  const victim = weights === undefined ? buildModel(session, victimChoice) : restore(session, victimChoice, weights);
  let surrogate = victim;
  try {
    if (transferred) surrogate = buildModel(session, surrogateChoice);
    if (globalAttacks[choice.attack].loss !== null) checkDifferentiable(choice.attack, surrogate.model);
    const split = session.split(seed);
    if (weights === undefined) await trainModel(victim, victimChoice, session.view, split, watch);
    if (transferred) await trainModel(surrogate, surrogateChoice, session.view, split, watch);
    const found = await runAttack(session, surrogate.model, choice, watch);
    const nodes = attackedNodes(session, choice);
    const { flips } = found.perturbation;
    const clean = transferred ? await classify(victim.model, session.view, nodes) : found.targets.clean;
    const adversarial = choice.poison
      ? await classifyPoisoned(session, victimChoice, flips, nodes, watch)
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
  } finally {
    victim.model.dispose();
    if (surrogate !== victim) surrogate.model.dispose();
  }
}

type NamedVictim = VictimChoice & { readonly model: string };

/** A weights file names its model, so that nobody else has to; whoever does must name the same. */
function victimName({ model, weights, poison }: VictimChoice): string {
  if (weights === undefined) return model ?? "gcn";
  check(!poison, () => "a poisoned model is trained anew; leave out the weights");
  const { kind } = readWeightsConfig(weights);
  check(
    model === undefined || model === kind,
    () => `${weights}: holds weights of ${kind}, but the model asked for is ${model}; leave out --model`,
  );
  return kind;
}

/** Mistakes in a choice fail here, before anything is trained. */
function checkChoice(session: Session, choice: NamedVictim): void {
  const { model, set = {}, surrogate, attack, options = {}, loss, weights } = choice;
  const kind = lookup(globalAttacks, attack, "attack");
  resolveOptions(attack, kind.options, options);
  kind.check?.(options);
  check(loss === undefined || kind.loss !== null, () => `${attack} has no loss; leave it out`);
  check(
    surrogate === undefined || kind.loss !== null,
    () => `${attack} does not look at a model; leave out the surrogate`,
  );
  if (loss !== undefined) lossByName(loss);
  checkBudget(session.graph, budgetOf(session, choice));
  nodeSet(session.view, attackedNodes(session, choice)).dispose();
  const { trainingOptions } = lookup(modelKinds, model, "model");
  const unused =
    weights === undefined ? undefined : Object.keys(set).find((name) => Object.hasOwn(trainingOptions, name));
  check(unused === undefined, () => `weights are trained already; leave out the hyperparameter ${unused}`);
}

/** A model with saved weights. */
function restore(session: Session, choice: ModelChoice, weights: string): BuiltModel {
  const { config } = readWeightsConfig(weights);
  const built = buildModel(session, { ...choice, set: { ...config, ...choice.set } });
  try {
    loadWeights(built.model, weights);
  } catch (error) {
    built.model.dispose();
    throw error;
  }
  return built;
}

/** What a model does that was trained on the perturbed graph. */
async function classifyPoisoned(
  session: Session,
  victimChoice: ModelChoice,
  flips: Flips,
  nodes: ArrayLike<number>,
  watch: Watch,
): Promise<Classification> {
  const perturbed = withFlips(session.view, flips);
  const built = buildModel(session, victimChoice);
  try {
    const { signal, ...unwatched } = watch; // an attack that was ended early still deserves a trained model
    const training = signal?.aborted ? unwatched : watch;
    await trainModel(built, victimChoice, perturbed, session.split(victimChoice.seed), training);
    return await classify(built.model, perturbed, nodes);
  } finally {
    built.model.dispose();
    perturbed.dispose();
  }
}

function attackedNodes(session: Session, { nodes, seed }: VictimChoice): ArrayLike<number> {
  return nodes ?? session.split(seed).test;
}

function describe(
  session: Session,
  choice: NamedVictim,
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
    interrupted,
  };
}
