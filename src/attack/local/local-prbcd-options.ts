import { check } from "../../core/errors.ts";
import {
  boolean,
  choice,
  defaultsOf,
  describeOptions,
  type OptionsOf,
  realNumber,
  resolveOptions,
  wholeNumber,
} from "../../core/options/index.ts";
import { lossOption, samplesOption } from "../options.ts";

export const localPrbcdOptions = describeOptions({
  preset: choice({
    of: ["strong", "paper"],
    default: "strong",
    help: "strong (adapting step, then flips are tried and exchanged on the discrete graph) or paper (as published: 150 epochs)",
  }),
  blockSize: wholeNumber({
    from: 1,
    default: 10_000,
    help: "candidate flips considered at once; memory grows with it",
  }),
  epochs: wholeNumber({ from: 1, default: 100, help: "gradient steps at most; the preset paper has 150" }),
  fineTuneEpochs: wholeNumber({
    from: 0,
    default: 50,
    help: "the last of these, which keep the block of the best epoch; at most half unless set",
  }),
  learningRateFactor: realNumber({
    from: 0,
    default: 0.05,
    help: "step size of the preset paper, before scaling by budget, graph and block",
  }),
  firstStep: realNumber({
    above: 0,
    default: 1,
    help: "how far the preset strong moves the steepest candidate at first; it is halved without progress",
  }),
  floor: realNumber({ from: 0, to: 0.5, default: 1e-7, help: "weight of a candidate that is not in use" }),
  samples: samplesOption,
  evaluations: wholeNumber({
    from: 0,
    default: 1000,
    help: "discrete graphs that strong tries at the end; at most 60 unless set where each is a pass over the whole graph",
  }),
  insertOnly: boolean({
    default: false,
    help: "leave the edges of the graph alone, as the published code does on undirected graphs",
  }),
  denominator: choice({
    of: ["exact", "constant"],
    default: "exact",
    help: "gradient of the PageRank update: exact, or with its denominator held constant as in the published code",
  }),
  patched: boolean({
    default: true,
    help: "recompute only rows that change, where the model is a stack of convolutions; off: whole passes",
  }),
  loss: lossOption("margin"),
});

/** Options of {@link localPrbcd}; `rgnn attack --attack local-prbcd --option list` explains each. */
export type LocalPrbcdOptions = OptionsOf<typeof localPrbcdOptions>;

/** Default options of {@link localPrbcd}. */
export const localPrbcdDefaults: LocalPrbcdOptions = defaultsOf(localPrbcdOptions);

/** Where a preset differs from the defaults. */
const presets = {
  strong: {},
  paper: { epochs: 150, fineTuneEpochs: 50, denominator: "constant" },
} as const satisfies Record<string, Partial<LocalPrbcdOptions>>;

/** Options that a preset does not have. */
const optionsOfOther = {
  strong: ["learningRateFactor"],
  paper: ["firstStep", "evaluations"],
} as const satisfies Record<string, readonly (keyof LocalPrbcdOptions)[]>;

/**
 * All options: those that are not given come from the preset. If `fineTuneEpochs` is not given, a short run still
 * spends about half of its epochs on fresh blocks.
 */
export function resolveLocalPrbcd(options: Partial<LocalPrbcdOptions>): LocalPrbcdOptions {
  const { preset } = resolveOptions("local-prbcd", localPrbcdOptions, options);
  const given = { ...resolveOptions("local-prbcd", localPrbcdOptions, { ...presets[preset], ...definedIn(options) }) };
  for (const name of optionsOfOther[preset]) {
    check(
      options[name] === undefined,
      () => `local-prbcd: the preset ${preset} has no ${name}; leave it out or choose another preset`,
    );
  }
  const fineTuneEpochs = options.fineTuneEpochs ?? Math.min(given.fineTuneEpochs, Math.ceil(given.epochs / 2));
  check(
    fineTuneEpochs <= given.epochs,
    () => `local-prbcd: fineTuneEpochs, ${fineTuneEpochs}, must be at most epochs, ${given.epochs}, which include them`,
  );
  return { ...given, fineTuneEpochs };
}

function definedIn<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}
