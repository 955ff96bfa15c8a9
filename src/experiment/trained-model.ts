import { check, Interrupted, lookup } from "../core/errors.ts";
import { type BuiltModel, buildModel, type ModelChoice } from "../defense/build-model.ts";
import { modelKinds } from "../defense/model-kinds.ts";
import { loadWeights, readWeightsConfig } from "../files/weights-files.ts";
import type { Hyperparameters } from "../nn/models/model-kind.ts";
import type { Watch } from "../nn/training/train.ts";
import type { WeightsConfig } from "../nn/weights/weights.ts";
import type { NodeSession } from "./node-session.ts";

/** How a run is watched and ended, and where its warnings go. */
export interface RunWatch extends Watch {
  /** Receives a line that a user should read. */
  readonly warn?: (line: string) => void;
}

/** A model with saved weights, or one that is trained first. */
export interface TrainedChoice {
  readonly seed: number;
  /** Default: that of the weights, or a gcn. Where both are given, they must agree. */
  readonly model?: string;
  /** Hyperparameters of the model. */
  readonly set?: Hyperparameters;
  /** File of trained weights; without one, the model is trained first. */
  readonly weights?: string;
  /** Accept weights that were trained on another graph or split. */
  readonly force?: boolean;
}

/** A choice whose model is known: as asked for, or as the weights file says. */
export type NamedChoice<Choice extends TrainedChoice = TrainedChoice> = Choice & { readonly model: string };

/**
 * Fills in the model's name, from the weights file if there is one; if a name was given too, it must be the same.
 * Throws for mistakes in the rest of the choice.
 */
export function nameModel<Choice extends TrainedChoice>(choice: Choice): NamedChoice<Choice> {
  const { model: asked, weights, set = {}, force } = choice;
  check(!force || weights !== undefined, () => "--force is about weights; leave it out, or give --weights");
  const model = weights === undefined ? (asked ?? "gcn") : readWeightsConfig(weights).kind;
  check(
    asked === undefined || model === asked,
    () => `${weights}: holds weights of ${model}, but the model asked for is ${asked}; leave out --model`,
  );
  const { trainingOptions } = lookup(modelKinds, model, "model");
  const unused =
    weights === undefined ? undefined : Object.keys(set).find((name) => Object.hasOwn(trainingOptions, name));
  check(unused === undefined, () => `${weights}: is trained already; leave out --set ${unused}`);
  return { ...choice, model };
}

/** Throws where {@link openModel} would, and opens nothing. */
export function checkModel(session: NodeSession, given: TrainedChoice): void {
  const choice = nameModel(given);
  if (choice.weights !== undefined) checkOrigin(session, choice, readWeightsConfig(choice.weights), undefined);
}

/** Builds the chosen model: with its weights, or to be trained by {@link trainIfNeeded}. The caller disposes it. */
export function openModel(session: NodeSession, choice: NamedChoice, { warn }: RunWatch = {}): BuiltModel {
  const { weights } = choice;
  if (weights === undefined) return buildModel(session, choiceOf(choice));
  const saved = readWeightsConfig(weights);
  checkOrigin(session, choice, saved, warn);
  const built = buildModel(session, { ...choiceOf(choice), set: { ...saved.config, ...choice.set } });
  try {
    loadWeights(built.model, weights);
  } catch (error) {
    built.model.dispose();
    throw error;
  }
  return built;
}

/**
 * Trains a model that was opened without weights. If interrupted, it throws {@link Interrupted}: a half-trained model
 * is of no use.
 */
export async function trainIfNeeded(
  session: NodeSession,
  built: BuiltModel,
  choice: NamedChoice,
  watch: RunWatch = {},
): Promise<void> {
  if (choice.weights !== undefined) return;
  await session.train(built, choiceOf(choice), session.split(choice.seed), watch);
  if (watch.signal?.aborted) throw new Interrupted(`interrupted while ${choice.model} was trained; there is no result`);
}

/** What a weights file says about where it comes from. */
export function originOf(session: NodeSession, seed: number): { dataset: string; seed: number; splitHash: string } {
  return { dataset: session.dataset, seed, splitHash: session.splitFacts(seed).sha256 };
}

/** Weights of another graph or split measure something else: test nodes here may have been training nodes there. */
function checkOrigin(
  session: NodeSession,
  { weights, seed, force }: NamedChoice,
  saved: WeightsConfig,
  warn: RunWatch["warn"],
): void {
  const here = originOf(session, seed);
  const problem = differenceOf(saved, here);
  check(problem === null || force === true, () => `${weights}: ${problem}, or --force to use them all the same`);
  if (problem !== null) warn?.(`${weights}: ${problem}; used all the same`);
  const missing = [
    ...(saved.dataset === undefined ? ["dataset"] : []),
    ...(saved.splitHash === undefined ? ["split"] : []),
  ];
  if (problem === null && missing.length > 0) {
    const unknown = `does not name its ${missing.join(" and ")}`;
    warn?.(`${weights}: ${unknown}, so it was not checked whether it learned from nodes that are test nodes here`);
  }
}

function differenceOf(saved: WeightsConfig, here: ReturnType<typeof originOf>): string | null {
  if (saved.dataset !== undefined && saved.dataset !== here.dataset)
    return `these weights were trained on ${saved.dataset}, not on ${here.dataset}; give --dataset ${saved.dataset}`;
  if (saved.splitHash === undefined || saved.splitHash === here.splitHash) return null;
  const other = `these weights were trained on another split of ${here.dataset}`;
  return saved.seed === undefined || saved.seed === here.seed
    ? `${other} with the same seed, ${here.seed}; give the options they were trained with`
    : `${other}, that of seed ${saved.seed} and not ${here.seed}; give --seed ${saved.seed}`;
}

function choiceOf({ model, seed, set = {} }: NamedChoice): ModelChoice {
  return { model, seed, set };
}
