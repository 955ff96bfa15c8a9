import type { Attack } from "./attack.ts";
import { dice, diceDefaults, diceRules } from "./dice.ts";
import { fgsm, fgsmDefaults, fgsmRules } from "./fgsm.ts";
import { grbcd, grbcdDefaults, grbcdRules, resumeGrbcd } from "./grbcd.ts";
import type { Rule } from "./options.ts";
import { pgd, pgdDefaults, pgdRules } from "./pgd.ts";
import { prbcd, prbcdDefaults, prbcdRules } from "./prbcd.ts";

/** An attack that can be asked for by name. */
export interface AttackKind {
  readonly summary: string;
  /** Every option with its default; the loss is a function. */
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly options: Readonly<Record<string, string>>;
  /** What the value of each option must be. */
  readonly rules: Readonly<Record<string, Rule>>;
  /** The name of the default loss, or null if the attack has none. */
  readonly loss: string | null;
  /** True if the first k of its flips are what it finds with budget k. */
  readonly incremental: boolean;
  readonly run: Attack<Record<string, unknown>>;
  /** Goes on from the flips of a run with a smaller budget, if the attack can. */
  readonly resume?: typeof resumeGrbcd;
}

const blockOptions = {
  blockSize: "candidate pairs considered at once; memory grows with it",
  draw: "stratified (one per stratum, no sort) or uniform (the literal algorithm)",
};

/** The attacks that spend one budget on the whole graph, by name. */
export const globalAttacks: Readonly<Record<string, AttackKind>> = {
  prbcd: kind(
    prbcd,
    prbcdDefaults,
    prbcdRules,
    "tanh-margin",
    "projected randomised block coordinate descent: gradient ascent on random blocks of pairs",
    {
      ...blockOptions,
      epochs: "gradient steps in all",
      fineTuneEpochs: "the last of these, which keep the block of the best epoch; at most a quarter unless set",
      learningRateFactor: "step size, before scaling by budget, graph and block",
      floor: "weight of a candidate that is not in use",
      samples: "discrete graphs tried at the end",
      bestBy: "accuracy (published code), loss (paper) or discrete (of the graph that comes back: slower, stronger)",
    },
  ),
  grbcd: {
    ...kind(
      grbcd,
      grbcdDefaults,
      grbcdRules,
      "mce",
      "greedy randomised block coordinate descent: flips the best pairs of a fresh block in every step",
      {
        ...blockOptions,
        epochs: "steps over which the budget is spread",
      },
    ),
    resume: resumeGrbcd,
  },
  pgd: kind(pgd, pgdDefaults, pgdRules, "tanh-margin", "projected gradient descent on all pairs; time grows with n²", {
    epochs: "gradient steps",
    learningRate: "step size, before scaling by the budget",
    samples: "discrete graphs drawn at the end",
    tileSize: "pairs whose gradient is evaluated together",
  }),
  fgsm: {
    ...kind(
      fgsm,
      fgsmDefaults,
      fgsmRules,
      "mce",
      "greedy gradient attack on all pairs, one flip per step; time grows with n² times the budget",
      { tileSize: "pairs looked at together; memory grows with it" },
    ),
    incremental: true,
  },
  dice: kind(dice, diceDefaults, diceRules, null, "random: removes edges inside classes, inserts edges between them", {
    addRatio: "share of the budget spent on insertions",
  }),
};

function kind<Options extends object>(
  run: Attack<Options>,
  defaults: Options,
  rules: { readonly [Option in keyof Options]: Rule },
  loss: string | null,
  summary: string,
  options: Readonly<Record<string, string>>,
): AttackKind {
  return {
    summary,
    loss,
    options,
    rules: rules as Readonly<Record<string, Rule>>,
    incremental: false,
    defaults: { ...(defaults as object) },
    run: run as unknown as AttackKind["run"],
  };
}
