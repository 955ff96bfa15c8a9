import { defaultsOf, describeOptions, type OptionsOf, resolveOptions } from "../core/options/index.ts";
import { silent } from "../core/progress.ts";
import type { Flips } from "../graph/flips.ts";
import type { Model } from "../nn/model.ts";
import type { EdgeFactors } from "../tensor/edge-factors.ts";
import type { GraphView } from "../tensor/index.ts";
import type { AttackResult, AttackTask, TraceEntry } from "./attack.ts";
import { attackWith } from "./attack-with.ts";
import { blockOfFlips, pairsAt } from "./block.ts";
import { Allowance } from "./constraints/allowance.ts";
import type { AttackLoss } from "./losses.ts";
import { lossOption, withObjectiveLoss } from "./options.ts";
import { type PairTile, PairTiles, tileSizeOption } from "./pair-tiles.ts";
import { polished, polishOption } from "./polish/polished.ts";
import { progressNote, traceEntry } from "./trace.ts";
import { checkDifferentiable, type Victim } from "./victim.ts";

export const fgsmOptions = describeOptions({
  tileSize: tileSizeOption,
  loss: lossOption("mce"),
  polish: polishOption(0),
});

/** Options of {@link fgsm}; `rgnn attack --attack fgsm --option list` explains each. */
export type FgsmOptions = OptionsOf<typeof fgsmOptions>;

/** Default options of {@link fgsm}. */
export const fgsmDefaults: FgsmOptions = defaultsOf(fgsmOptions);

/**
 * Greedy fast gradient sign method on all pairs: `budget` times, flip the one pair whose gradient promises most on the
 * current graph. A pair is flipped at most once, and the search stops when no flip promises anything.
 *
 * The flips come back in the order they were made, so the first k of them are the attack with budget k.
 */
export async function fgsm(
  model: Model,
  view: GraphView,
  task: AttackTask,
  options: Partial<FgsmOptions> = {},
): Promise<AttackResult> {
  const config = resolveOptions("fgsm", fgsmOptions, withObjectiveLoss(options, task));
  checkDifferentiable("fgsm", model);
  return attackWith(
    "fgsm",
    model,
    view,
    task,
    polished(task, config, (victim) => search(victim, task, config)),
  );
}

async function search(
  victim: Victim,
  { budget, progress = silent, signal, constraints }: AttackTask,
  { tileSize, loss }: FgsmOptions,
) {
  const allowance = new Allowance(constraints);
  const tiles = new PairTiles("fgsm", victim.view, tileSize, constraints);
  const order: StrongestPair[] = [];
  const trace: TraceEntry[] = [];
  try {
    while (order.length < budget && !signal?.aborted) {
      const { best, ...seen } = await strongestFlip(victim, tiles, flipsOf(order), loss);
      const entry = traceEntry(victim, seen);
      trace.push(entry);
      if (!best) break;
      order.push(best);
      allowance.take(best.source, best.target);
      if (constraints) tiles.excludeAll(flipsOf(order), allowance);
      else tiles.exclude(best.index);
      progress.update(order.length, budget, progressNote(victim, entry.score, "discrete"));
    }
    return { flips: flipsOf(order), trace };
  } finally {
    tiles.dispose();
  }
}

interface StrongestPair {
  readonly index: number;
  readonly source: number;
  readonly target: number;
  readonly score: number;
}

/** The unflipped pair with the largest positive score, the first in row-major order on ties. */
async function strongestFlip(victim: Victim, tiles: PairTiles, flipped: Flips, loss: AttackLoss) {
  const block = blockOfFlips(victim.view, flipped);
  const { factors, ...seen } = await victim.stepOnAll(block, loss).finally(() => block.dispose());
  let best: StrongestPair | null = null;
  for (const tile of tiles) {
    const found: StrongestPair = await strongestOf(victim.view, tile, factors);
    if (found.score > (best?.score ?? 0)) best = found;
  }
  factors.dispose();
  return { best, ...seen };
}

/**
 * A tile is searched as rows of this width: the device finds the largest score of each row, the host the largest of
 * these.
 */
const SEARCH_WIDTH = 4096;

async function strongestOf(
  { backend }: GraphView,
  { begin, pairs, signs }: PairTile,
  factors: EdgeFactors,
): Promise<StrongestPair> {
  const rows = Math.ceil(pairs.length / SEARCH_WIDTH);
  const scores = backend.alloc("f32", rows * SEARCH_WIDTH);
  const columns = backend.alloc("i32", rows);
  const largest = backend.alloc("f32", rows);
  backend.fill(scores, 0); // the end of the last row holds no pair
  factors.evaluate(scores, pairs, { signs });
  backend.argmaxRows(columns, scores, rows, SEARCH_WIDTH);
  backend.pick(largest, scores, columns, SEARCH_WIDTH);
  const column = await backend.read(columns);
  const score = Float64Array.from(await backend.read(largest));
  for (const buffer of [scores, columns, largest]) backend.free(buffer);
  const row = score.reduce((top, value, t) => (value > score[top] ? t : top), 0);
  const place = Math.min(row * SEARCH_WIDTH + column[row], pairs.length - 1);
  const { sources, targets } = await pairsAt(backend, pairs, [place]);
  return { index: begin + place, source: sources[0], target: targets[0], score: score[row] };
}

function flipsOf(pairs: readonly StrongestPair[]): Flips {
  return {
    sources: Int32Array.from(pairs, ({ source }) => source),
    targets: Int32Array.from(pairs, ({ target }) => target),
  };
}
