import { BudgetError, check } from "../../core/errors.ts";
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
import { type Flips, noFlips } from "../../graph/flips.ts";
import { rowsOfGraph } from "../../graph/graph-rows.ts";
import type { Model } from "../../nn/model.ts";
import { type GraphView, hostGraph } from "../../tensor/index.ts";
import { lossOption, samplesOption } from "../options.ts";
import { localAttackWith } from "./local-attack-with.ts";
import type { LocalResult } from "./local-result.ts";
import type { LocalTarget, LocalTask } from "./local-task.ts";
import { type CandidateGraph, CandidateSpace } from "./prbcd/candidate-space.ts";
import { FlipTrials } from "./prbcd/flip-trials.ts";
import { polishFlips } from "./prbcd/polish-flips.ts";
import type { RelaxedNode, RelaxedVictim } from "./prbcd/relaxed-node.ts";
import { type RelaxedFound, relaxedSearch } from "./prbcd/relaxed-search.ts";
import { relaxedVictim } from "./prbcd/relaxed-victim.ts";
import { sampleFlips } from "./prbcd/sample-flips.ts";
import { adaptingStep, publishedStep, type StepSize } from "./prbcd/step-size.ts";

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

/** What {@link localPrbcd} does where no option is given. */
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
 * PR-BCD on the edges of one node at a time (Geisler et al. 2021, section 4). Each node is attacked on the clean graph, with at
 * most its budget of flips at its own edges, or at those of its neighbours.
 *
 * Works on every model that is differentiable by edges, and on PPRGo and its relatives through the closed-form update of a
 * PageRank row. Time and memory per node do not grow with n² anywhere; on GCN, SGC and PPRGo they depend on the block and the
 * surroundings of the node alone.
 *
 * @example
 * const task = { nodes: [17, 42], budget: { share: 0.5 }, rng: new Rng(0) };
 * for await (const { node, success } of localPrbcd(model, view, task)) console.log(node, success);
 */
export function localPrbcd(
  model: Model,
  view: GraphView,
  task: LocalTask,
  options: Partial<LocalPrbcdOptions> = {},
): AsyncGenerator<LocalResult, void> {
  const config = resolveLocalPrbcd(options);
  return localAttackWith("local-prbcd", model, view, task, async () => {
    const graph = hostGraph(view, "local-prbcd");
    const rows = { ...rowsOfGraph(graph), directed: graph.directed };
    const victim = await relaxedVictim(model, view, config);
    const attack = new LocalPrbcd(rows, victim, withEvaluations(config, options, victim));
    return { search: (target) => attack.search(target), dispose: () => victim.dispose() };
  });
}

/** All options: those that are not given come from the preset. A short run still spends most of its epochs on fresh blocks. */
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

/** Evaluations that are passes over the whole graph are counted more carefully. */
const DEAR_EVALUATIONS = 60;

function withEvaluations(
  config: LocalPrbcdOptions,
  options: Partial<LocalPrbcdOptions>,
  { isCheap }: RelaxedVictim,
): LocalPrbcdOptions {
  if (isCheap || options.evaluations !== undefined) return config;
  return { ...config, evaluations: Math.min(config.evaluations, DEAR_EVALUATIONS) };
}

/** The attack on the nodes of one victim. */
class LocalPrbcd {
  private readonly graph: CandidateGraph;
  private readonly victim: RelaxedVictim;
  private readonly config: LocalPrbcdOptions;

  constructor(graph: CandidateGraph, victim: RelaxedVictim, config: LocalPrbcdOptions) {
    this.graph = graph;
    this.victim = victim;
    this.config = config;
  }

  async search(target: LocalTarget): Promise<Flips> {
    const { loss, floor, insertOnly, blockSize } = this.config;
    const space = new CandidateSpace(this.graph, target, { insertOnly });
    check(
      target.budget <= blockSize,
      () => `local-prbcd: budget ${target.budget} must be at most the block size, ${blockSize}; raise blockSize`,
      BudgetError,
    );
    const node = this.victim.relaxed(target, { loss, floor });
    try {
      return await this.discretise(node, target, await this.relaxedSearch(node, target, space));
    } finally {
      node.dispose();
    }
  }

  private relaxedSearch(node: RelaxedNode, target: LocalTarget, space: CandidateSpace): Promise<RelaxedFound> {
    const { preset, blockSize, epochs, fineTuneEpochs, floor } = this.config;
    const { budget, rng, signal } = target;
    const stays = preset === "strong" && blockSize >= space.size; // a block of all candidates has nothing to replace
    const resamplingEpochs = stays ? 0 : epochs - fineTuneEpochs;
    const stepSize = this.stepSize(budget, resamplingEpochs);
    const goal = target;
    return relaxedSearch(node, {
      ...{ space, goal, budget, blockSize, epochs, resamplingEpochs, floor, stepSize, rng, signal },
    });
  }

  private stepSize(budget: number, resamplingEpochs: number): StepSize {
    const { preset, firstStep, learningRateFactor, blockSize } = this.config;
    if (preset === "strong") return adaptingStep(firstStep, resamplingEpochs);
    const nodesPerCandidate = this.graph.numNodes / blockSize;
    return publishedStep({ learningRateFactor, budget, nodesPerCandidate, resamplingEpochs });
  }

  private async discretise(node: RelaxedNode, target: LocalTarget, found: RelaxedFound): Promise<Flips> {
    const { preset, floor, samples, evaluations } = this.config;
    const { block, weights } = found;
    if (preset === "paper" && !found.improves) return noFlips;
    const { budget, rng, signal } = target;
    await node.lay(block);
    const trials = new FlipTrials(node, block, target, preset === "paper" ? "probabilities" : "logits");
    const sampled = await sampleFlips(trials, weights, { budget, floor, samples, rng });
    if (preset === "paper") return trials.flipsOf(sampled.places);
    const polished = await polishFlips(node, trials, sampled, { budget, evaluations, signal });
    return trials.flipsOf(polished.places);
  }
}
