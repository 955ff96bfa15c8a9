import { type Description, type OptionsOf, textOf } from "../core/options/index.ts";
import type { Flips } from "../graph/flips.ts";
import type { Model } from "../nn/model.ts";
import type { GraphView } from "../tensor/index.ts";
import type { Attack, AttackResult, AttackTask } from "./attack.ts";
import { auto, autoOptions, resumeAuto } from "./auto/auto.ts";
import { dice, diceOptions } from "./dice.ts";
import { eva, evaOptions, resumeEva } from "./eva/eva.ts";
import { fgsm, fgsmOptions } from "./fgsm.ts";
import { grbcd, grbcdOptions, resumeGrbcd } from "./grbcd.ts";
import { pgd, pgdOptions } from "./pgd.ts";
import { prbcd, prbcdOptions, resolvePrbcd } from "./prbcd.ts";

/** An attack that can be asked for by name. */
export interface AttackKind {
  readonly summary: string;
  readonly options: Description;
  /** Throws if options contradict each other, although each of them is valid. */
  readonly check?: (options: Readonly<Record<string, unknown>>) => void;
  /** The name of the default loss; null if the attack has none. */
  readonly loss: string | null;
  /** What it needs of the model: gradients, outputs alone, or nothing at all. */
  readonly asksFor: "gradients" | "outputs" | "nothing";
  /** The name of its loss with these options. Present if another option, such as a preset, also determines the loss. */
  readonly lossWith?: (options: Readonly<Record<string, unknown>>) => string;
  /** True if the first k of its flips are what it finds with budget k. */
  readonly incremental: boolean;
  readonly run: Attack<Record<string, unknown>>;
  /** True if several budgets are attacked in ascending order, each starting from the flips of the one before. */
  readonly chains: boolean;
  /**
   * True if it always attacks the victim and uses surrogates as a help; other attacks find their flips on the surrogate
   * instead.
   */
  readonly takesSurrogates: boolean;
  /** Continues from the flips of a run with a smaller budget, if the attack can. */
  readonly resume?: ResumedAttack;
}

/** An attack that starts from flips. */
export type ResumedAttack = (
  model: Model,
  view: GraphView,
  task: AttackTask,
  from: Flips,
  options?: Readonly<Record<string, unknown>>,
) => Promise<AttackResult>;

/** The attacks that spend one budget on the whole graph, by name. */
export const globalAttacks: Readonly<Record<string, AttackKind>> = {
  prbcd: {
    ...kind(
      "projected randomised block coordinate descent: gradient ascent on random blocks of pairs",
      prbcdOptions,
      prbcd,
    ),
    check: resolvePrbcd,
    lossWith: (options) => textOf(prbcdOptions.loss, resolvePrbcd(options).loss),
  },
  grbcd: {
    ...kind(
      "greedy randomised block coordinate descent: flips the best pairs of a fresh block in every step",
      grbcdOptions,
      grbcd,
    ),
    resume: resumeGrbcd,
  },
  pgd: kind("projected gradient descent on all pairs; time grows with n²", pgdOptions, pgd),
  fgsm: {
    ...kind(
      "greedy gradient attack on all pairs, one flip per step; time grows with n² times the budget",
      fgsmOptions,
      fgsm,
    ),
    incremental: true,
  },
  auto: {
    ...kind("the strongest of the others with polish: the one to run without thinking about it", autoOptions, auto),
    asksFor: "outputs", // gradients too, where the model has them
    resume: resumeAuto,
    chains: true,
    takesSurrogates: true,
  },
  eva: {
    ...kind("evolution of sets of flips; asks for predictions alone, so that it attacks any model", evaOptions, eva),
    asksFor: "outputs",
    resume: resumeEva,
  },
  dice: kind("random: removes edges inside classes, inserts edges between them", diceOptions, dice),
};

/** Erases the types of the options: code that looks an attack up by name does not know them. */
function kind<D extends Description>(summary: string, options: D, run: Attack<OptionsOf<D>>): AttackKind {
  const loss = Object.hasOwn(options, "loss") ? options["loss"] : null;
  return {
    summary,
    options,
    loss: loss && String(loss.toJson(loss.default)),
    asksFor: loss ? "gradients" : "nothing",
    incremental: false,
    chains: false,
    takesSurrogates: false,
    run: run as AttackKind["run"],
  };
}
