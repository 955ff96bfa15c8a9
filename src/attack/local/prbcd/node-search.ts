import { BudgetError, check } from "../../../core/errors.ts";
import { type Flips, noFlips } from "../../../graph/flips.ts";
import type { LocalPrbcdOptions } from "../local-prbcd-options.ts";
import type { FoundFlips, LocalTarget } from "../local-task.ts";
import { type CandidateGraph, CandidateSpace } from "./candidate-space.ts";
import { FlipTrials } from "./flip-trials.ts";
import { polishFlips } from "./polish-flips.ts";
import type { RelaxedNode, RelaxedVictim } from "./relaxed-node.ts";
import { type RelaxedFound, relaxedSearch } from "./relaxed-search.ts";
import { sampleFlips } from "./sample-flips.ts";
import { adaptingStep, publishedStep, type StepSize } from "./step-size.ts";

/**
 * Local PR-BCD on the nodes of one victim. Apart from the victim, it reads only rows of the graph, which may be larger
 * than memory.
 */
export class NodeSearch {
  private readonly graph: CandidateGraph;
  private readonly victim: RelaxedVictim;
  private readonly config: LocalPrbcdOptions;

  constructor(graph: CandidateGraph, victim: RelaxedVictim, config: LocalPrbcdOptions) {
    this.graph = graph;
    this.victim = victim;
    this.config = config;
  }

  async search(target: LocalTarget): Promise<FoundFlips> {
    const { loss, floor, insertOnly, blockSize } = this.config;
    const space = new CandidateSpace(this.graph, target, { insertOnly });
    check(
      target.budget <= blockSize,
      () => `local-prbcd: budget ${target.budget} must be at most the block size, ${blockSize}; raise blockSize`,
      BudgetError,
    );
    const node = this.victim.relaxed(target, { loss, floor });
    try {
      const relaxed = await this.relaxedSearch(node, target, space);
      return { ...(await this.discretise(node, target, relaxed)), epochs: relaxed.trace.length - 1 };
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
    const schedule = { blockSize, epochs, resamplingEpochs, floor, stepSize };
    return relaxedSearch(node, { space, goal: target, budget, rng, signal, ...schedule });
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
