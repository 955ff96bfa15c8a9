import { silent } from "../core/progress.ts";
import type { Flips } from "../graph/flips.ts";
import type { Model } from "../nn/model.ts";
import type { GraphView } from "../tensor/index.ts";
import type { AttackResult, AttackTask, TraceEntry } from "./attack.ts";
import { blockOfFlips, pairsAt } from "./block.ts";
import { FlipSet } from "./flip-set.ts";
import { type AttackLoss, mce } from "./losses.ts";
import { lossFunction, resolveOptions } from "./options.ts";
import { PairTiles, TILE_SIZE, tileSizeRule } from "./pair-tiles.ts";
import { attackWith, checkDifferentiable, type Victim } from "./victim.ts";

export interface FgsmOptions {
  /** Pairs looked at together; memory grows with it. */
  readonly tileSize: number;
  readonly loss: AttackLoss;
}

export const fgsmDefaults: FgsmOptions = { tileSize: TILE_SIZE, loss: mce };

export const fgsmRules = { tileSize: tileSizeRule, loss: lossFunction };

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
  const config = resolveOptions("fgsm", fgsmDefaults, fgsmRules, options);
  checkDifferentiable("fgsm", model);
  return attackWith("fgsm", model, view, task, (victim) => search(victim, task, config));
}

async function search(
  victim: Victim,
  { budget, progress = silent, signal }: AttackTask,
  { tileSize, loss }: FgsmOptions,
) {
  const tiles = new PairTiles("fgsm", victim.view, tileSize);
  const order: Flips[] = [];
  const flipped = new FlipSet();
  const trace: TraceEntry[] = [];
  try {
    while (order.length < budget && !signal?.aborted) {
      const { best, ...seen } = await strongestFlip(victim, tiles, flipped, loss);
      trace.push(seen);
      if (!best) break;
      flipped.toggle(best);
      order.push(best);
      progress.update(order.length, budget, `accuracy ${seen.accuracy.toFixed(4)}`);
    }
    return { flips: concatenate(order), trace };
  } finally {
    tiles.dispose();
  }
}

/** The unflipped pair with the largest positive score, the first in row-major order on ties. */
async function strongestFlip(victim: Victim, tiles: PairTiles, flipped: FlipSet, loss: AttackLoss) {
  const { backend, adjacency } = victim.view;
  const block = blockOfFlips(victim.view, flipped.toFlips());
  const { factors, ...look } = await victim.stepOnAll(block, loss).finally(() => block.dispose());
  let best: Flips | null = null;
  let highest = 0;
  for (const { pairs } of tiles) {
    const [scores, signs] = [backend.alloc("f32", pairs.length), backend.alloc("f32", pairs.length)];
    factors.evaluate(scores, pairs);
    backend.pairSigns(signs, pairs, adjacency.buffers); // of the clean graph: only unflipped pairs are eligible
    backend.binary("mul", scores, scores, signs);
    const top = backend.alloc("i32", Math.min(flipped.size + 1, pairs.length)); // one of these is not flipped yet
    backend.topK(top, scores);
    const values = backend.alloc("f32", top.length);
    backend.gatherRows(values, scores, top, 1);
    const [candidates, score] = [
      await pairsAt(backend, pairs, (await backend.read(top)) as Int32Array),
      await backend.read(values),
    ];
    for (let k = 0; k < top.length && score[k]! > highest; k++) {
      const [source, target] = [candidates.sources[k]!, candidates.targets[k]!];
      if (flipped.has(source, target)) continue;
      highest = score[k]!;
      best = { sources: Int32Array.of(source), targets: Int32Array.of(target) };
    }
    for (const buffer of [scores, signs, top, values]) backend.free(buffer);
  }
  factors.dispose();
  return { best, loss: look.loss, accuracy: look.correct / victim.attacked.size };
}

function concatenate(flips: readonly Flips[]): Flips {
  return {
    sources: Int32Array.from(flips, ({ sources }) => sources[0]!),
    targets: Int32Array.from(flips, ({ targets }) => targets[0]!),
  };
}
