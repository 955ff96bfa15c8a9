import type { AttackResult } from "../attack/attack.ts";
import { globalAttacks } from "../attack/global-attacks.ts";
import { accuracyAfter } from "../attack/victim.ts";
import { check, lookup } from "../core/errors.ts";
import { applyFlips, flipActions } from "../graph/flips.ts";
import { evaluate } from "../nn/evaluate.ts";
import type { Hyperparameters } from "../nn/model-kind.ts";
import type { Watch } from "../nn/train.ts";
import { loadWeights, readWeightsConfig } from "../nn/weights.ts";
import { withGraph } from "../tensor/index.ts";
import { type BuiltModel, buildModel, type ModelChoice, trainModel } from "./build-model.ts";
import { type AttackChoice, budgetOf, runAttack } from "./run-attack.ts";
import type { Session } from "./session.ts";

/** Whom to attack, how, and what is measured afterwards. */
export interface VictimChoice extends AttackChoice {
  readonly model: string;
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

/** Prepares the victim, finds flips on it or on a surrogate, and reports what they do to the victim. */
export async function attackVictim(
  session: Session,
  choice: VictimChoice,
  watch: Watch = {},
): Promise<{ report: AttackReport; result: AttackResult }> {
  const { seed } = choice;
  lookup(globalAttacks, choice.attack, "attack"); // a misspelt name fails before anything is trained
  const victimChoice: ModelChoice = { model: choice.model, seed, set: choice.set ?? {} };
  const victim = await prepare(session, victimChoice, choice.weights, watch);
  const transferred = choice.surrogate !== undefined && choice.surrogate !== choice.model;
  const surrogate = transferred ? await prepare(session, { model: choice.surrogate!, seed }, undefined, watch) : victim;
  try {
    const result = await runAttack(session, surrogate.model, choice, watch);
    const accuracy = {
      clean: transferred ? await evaluate(victim.model, session.view, targets(session, choice)) : result.accuracy.clean,
      adversarial: choice.poison
        ? await poisonedAccuracy(session, victimChoice, choice, result, watch)
        : transferred
          ? await accuracyAfter(victim.model, session.view, result.flips, targets(session, choice))
          : result.accuracy.adversarial,
    };
    return { result, report: describe(session, choice, transferred, result, accuracy) };
  } finally {
    victim.model.dispose();
    if (transferred) surrogate.model.dispose();
  }
}

/** A model with saved weights, or trained now. */
async function prepare(
  session: Session,
  choice: ModelChoice,
  weights: string | undefined,
  watch: Watch,
): Promise<BuiltModel> {
  if (weights === undefined) {
    const built = buildModel(session, choice);
    await trainModel(built, choice, session.view, session.split(choice.seed), watch);
    return built;
  }
  const { config } = readWeightsConfig(weights);
  const built = buildModel(session, { ...choice, set: { ...config, ...choice.set } });
  loadWeights(built.model, weights);
  return built;
}

async function poisonedAccuracy(
  session: Session,
  victimChoice: ModelChoice,
  choice: VictimChoice,
  { flips }: AttackResult,
  watch: Watch,
): Promise<number> {
  check(choice.weights === undefined, () => "a poisoned model is trained anew; leave out the weights");
  const perturbed = withGraph(session.view, applyFlips(session.graph, flips));
  const built = buildModel(session, victimChoice);
  try {
    await trainModel(built, victimChoice, perturbed, session.split(choice.seed), watch);
    return await evaluate(built.model, perturbed, targets(session, choice));
  } finally {
    built.model.dispose();
    perturbed.dispose();
  }
}

function targets(session: Session, { nodes, seed }: VictimChoice): ArrayLike<number> {
  return nodes ?? session.split(seed).test;
}

function describe(
  session: Session,
  choice: VictimChoice,
  transferred: boolean,
  result: AttackResult,
  accuracy: AttackReport["accuracy"],
): AttackReport {
  const budget = budgetOf(session, choice);
  const actions = flipActions(session.graph, result.flips);
  const added = actions.filter((action) => action === "add").length;
  return {
    ...{ dataset: session.dataset, model: choice.model, attack: choice.attack },
    setting: transferred ? "transfer" : "direct",
    surrogate: choice.surrogate ?? choice.model,
    time: choice.poison ? "poisoning" : "evasion",
    loss: choice.loss ?? globalAttacks[choice.attack]!.loss,
    ...{
      epsilon: choice.epsilon ?? budget / session.graph.numEdges,
      budget,
      seed: choice.seed,
      device: session.device,
    },
    ...{ numTargets: targets(session, choice).length, accuracy, flips: { added, removed: actions.length - added } },
    ...result.cost,
    interrupted: result.interrupted,
  };
}
