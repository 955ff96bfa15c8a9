import { check, Interrupted, lookup } from "../core/errors.ts";
import { type BuiltModel, buildModel, type ModelChoice } from "../defense/build-model.ts";
import { modelKinds } from "../defense/model-kinds.ts";
import { loadWeights, readWeightsConfig } from "../files/weights-files.ts";
import type { Hyperparameters } from "../nn/models/model-kind.ts";
import type { Watch } from "../nn/training/train.ts";
import type { WeightsConfig } from "../nn/weights/weights.ts";
import type { NodeSession } from "./node-session.ts";

/** How a run is watched, ended, and what it tells the user besides its result. */
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
  /** Trained weights; without, the model is trained first. */
  readonly weights?: string;
  /** Take weights of another graph or split too. */
  readonly force?: boolean;
}

/** The same with its name, which a weights file knows. */
export type NamedChoice<Choice extends TrainedChoice = TrainedChoice> = Choice & { readonly model: string };

/** A weights file names its model, so that nobody else has to; whoever does must name the same. Mistakes in the rest fail here. */
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

/** The model as it was chosen: with its weights, or still to be trained by {@link trainIfNeeded}. The caller disposes it. */
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

/** Trains a model that came without weights. A model that is half trained is no model: ended early, it throws {@link Interrupted}. */
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
