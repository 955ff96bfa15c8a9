import { shiftOntoBudget } from "../../../backend/reference/projection.ts";
import type { Rng } from "../../../core/rng.ts";
import type { StopSignal } from "../../../core/stop-signal.ts";
import type { CandidateSpace, NodeBlock } from "./candidate-space.ts";
import { type Goal, probabilityDistance } from "./goal-loss.ts";
import { placesAbove } from "./places-above.ts";
import type { NodeStep, RelaxedNode } from "./relaxed-node.ts";
import type { StepSize } from "./step-size.ts";

/** What the relaxed search of one node needs to know. */
export interface RelaxedTask {
  readonly space: CandidateSpace;
  readonly goal: Goal;
  readonly budget: number;
  readonly blockSize: number;
  readonly epochs: number;
  /** How many epochs at the beginning replace candidates that are not in use. */
  readonly resamplingEpochs: number;
  /** Weight of a candidate that is not in use. */
  readonly floor: number;
  readonly stepSize: StepSize;
  readonly rng: Rng;
  readonly signal?: StopSignal | undefined;
}

/** Candidates with weights. */
export interface WeightedBlock {
  readonly block: NodeBlock;
  readonly weights: Float64Array;
}

/** What the pass of an epoch measured, before the update of that epoch. */
export interface NodeTraceEntry {
  readonly loss: number;
  /** How far the goal is, in probabilities: positive while it is missed. */
  readonly distance: number;
}

/** The epoch closest to the goal. */
export interface RelaxedFound extends WeightedBlock {
  /** False if no epoch was closer to the goal than the clean graph. */
  readonly improves: boolean;
  readonly trace: readonly NodeTraceEntry[];
}

/** An epoch with what its pass measured. */
interface SeenEpoch extends WeightedBlock {
  readonly step: NodeStep;
  readonly distance: number;
}

/**
 * The relaxed part of local PR-BCD (Geisler et al. 2021, Algorithm 1 on the edges of one node): gradient ascent on the
 * weights of a block of candidates, projected onto the budget. Candidates at the floor are replaced by fresh ones until
 * fine-tuning starts; a block that holds all candidates stays as it is.
 *
 * The pass of an epoch shows what the update before it did, so there is one pass per epoch, and one more at the end.
 */
export async function relaxedSearch(node: RelaxedNode, task: RelaxedTask): Promise<RelaxedFound> {
  const { space, blockSize, epochs, resamplingEpochs, floor, stepSize, rng, signal } = task;
  const holdsAll = blockSize >= space.size;
  const trace: NodeTraceEntry[] = [];
  let best: SeenEpoch | null = null;
  let clean = Number.POSITIVE_INFINITY;
  let block = holdsAll ? space.all() : space.draw(blockSize, rng);
  let weights: Float64Array = block.signs.map(() => floor);
  await node.lay(block);
  for (let t = 0; ; t++) {
    const step = await node.step(weights);
    const distance = probabilityDistance(step.logits, task.goal);
    trace.push({ loss: step.loss, distance });
    if (t === 0) clean = distance;
    const isBest: boolean = best === null || distance < best.distance;
    if (isBest) best = { block, weights, step, distance };
    const verdict = stepSize.judge(t, isBest);
    if (t === epochs || verdict === "stop" || signal?.aborted) break;

    const from: SeenEpoch = verdict === "go back" ? best! : { block, weights, step, distance };
    if (from.block !== block) await node.lay(from.block);
    weights = ascend(from, stepSize.rate(t, from.step.gradient), task);
    block = from.block;
    if (t < resamplingEpochs - 1 && !holdsAll) {
      ({ block, weights } = resample({ block, weights }, task));
      await node.lay(block);
    }
  }
  return { block: best!.block, weights: best!.weights, improves: best!.distance < clean, trace };
}

/** p + rate·gradient, projected onto Σ p ≤ budget and floor ≤ p ≤ 1 − floor. */
function ascend({ weights, step }: SeenEpoch, rate: number, { budget, floor }: RelaxedTask): Float64Array {
  const moved = weights.map((weight, e) => weight + rate * step.gradient[e]);
  const shift = shiftOntoBudget(
    moved.filter((weight) => weight > 0),
    budget,
  );
  return moved.map((weight) => Math.min(Math.max(weight - shift, floor), 1 - floor));
}

/** At most half of the candidates stay, the heaviest of those in use; fresh ones take the other places. */
function resample({ block, weights }: WeightedBlock, { space, blockSize, floor, rng }: RelaxedTask): WeightedBlock {
  const places = placesAbove(weights, floor);
  places.sort((a, b) => weights[b] - weights[a] || a - b);
  const kept = new Map(
    places.slice(0, Math.floor(weights.length / 2)).map((e) => [block.numbers[e], weights[e]] as const),
  );
  const numbers = Float64Array.from(kept.keys()).sort();
  const next = space.blockOf(space.drawBeside(numbers, blockSize - numbers.length, rng));
  return { block: next, weights: next.numbers.map((number) => kept.get(number) ?? floor) };
}
