import { type Description, type OptionsOf, textOf } from "../core/options/index.ts";
import type { Attack } from "./attack.ts";
import { dice, diceOptions } from "./dice.ts";
import { fgsm, fgsmOptions } from "./fgsm.ts";
import { grbcd, grbcdOptions, resumeGrbcd } from "./grbcd.ts";
import { pgd, pgdOptions } from "./pgd.ts";
import { prbcd, prbcdOptions, resolvePrbcd } from "./prbcd.ts";

/** An attack that can be asked for by name. */
export interface AttackKind {
  readonly summary: string;
  readonly options: Description;
  /** Throws if options do not go together, where each of them is acceptable. */
  readonly check?: (options: Readonly<Record<string, unknown>>) => void;
  /** The name of the default loss, or null if the attack has none: it then does not look at the model at all. */
  readonly loss: string | null;
  /** The name of its loss with these options, where an option other than the loss itself decides about it. */
  readonly lossWith?: (options: Readonly<Record<string, unknown>>) => string;
  /** True if the first k of its flips are what it finds with budget k. */
  readonly incremental: boolean;
  readonly run: Attack<Record<string, unknown>>;
  /** Goes on from the flips of a run with a smaller budget, if the attack can. */
  readonly resume?: typeof resumeGrbcd;
}

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
  dice: kind("random: removes edges inside classes, inserts edges between them", diceOptions, dice),
};

/** Forgets the types of the options, which whoever looks an attack up by name does not know. */
function kind<D extends Description>(summary: string, options: D, run: Attack<OptionsOf<D>>): AttackKind {
  const loss = Object.hasOwn(options, "loss") ? options["loss"] : null;
  return {
    summary,
    options,
    loss: loss && String(loss.toJson(loss.default)),
    incremental: false,
    run: run as AttackKind["run"],
  };
}
