import {
  defaultsOf,
  describeOptions,
  type OptionsOf,
  realNumber,
  resolveOptions,
  wholeNumber,
} from "../../core/options/index.ts";
import { silent } from "../../core/progress.ts";
import type { Flips } from "../../graph/flips.ts";
import type { Model } from "../../nn/model.ts";
import type { GraphView } from "../../tensor/index.ts";
import type { AttackResult, AttackTask } from "../attack.ts";
import { attackWith } from "../attack-with.ts";
import { checkResumed } from "../check-resumed.ts";
import { blockSizeOption } from "../options.ts";
import { evaluateAfter } from "../standing/evaluate-after.ts";
import { openStanding } from "../standing/open-standing.ts";
import { progressNote } from "../trace.ts";
import type { Victim } from "../victim.ts";
import { CoarseRounds } from "./coarse-round.ts";
import { ExactRounds } from "./exact-round.ts";
import { FlipLedger } from "./flip-ledger.ts";
import { proposalsFor } from "./proposals.ts";

export const polishOptions = describeOptions({
  rounds: wholeNumber({ from: 0, default: 20, help: "times that flips are dropped and others put in their place" }),
  seconds: realNumber({ from: 0, default: 0, help: "ends it after this time; 0 for no limit but the rounds" }),
  candidates: wholeNumber({ from: 1, default: 2000, help: "pairs whose flip is tried at once, where tries are cheap" }),
  share: realNumber({ from: 0, to: 1, default: 0.3, help: "share of the flips worth little that a round drops" }),
  blockSize: blockSizeOption,
});

/** Options of {@link polish}. */
export type PolishOptions = OptionsOf<typeof polishOptions>;

/** Default options of {@link polish}. */
export const polishDefaults: PolishOptions = defaultsOf(polishOptions);

/**
 * Improves flips that any attack has found, on the discrete graph. Rounds drop flips that no longer pay, and some
 * others at random, and spend the freed budget where it tips most nodes. Never returns a weaker perturbation than it
 * was given (rule B6).
 *
 * If the model is a stack of convolutions, a change is evaluated by the rows that it reaches; otherwise by a forward
 * pass. Polish needs no gradient, but uses it to find candidates if the model has one.
 *
 * @example
 * const task = { nodes: split.test, budget: edgeBudget(graph, 0.05), rng: new Rng(0) };
 * const found = await dice(model, view, task);
 * const { accuracy } = await polish(model, view, task, found.perturbation.flips, { rounds: 50 });
 */
export async function polish(
  model: Model,
  view: GraphView,
  task: AttackTask,
  from: Flips,
  options: Partial<PolishOptions> = {},
): Promise<AttackResult> {
  const config = resolveOptions("polish", polishOptions, options);
  return attackWith("polish", model, view, task, async (victim) => {
    const begin = performance.now();
    const { flips, scores } = await polishFlips(victim, task, from, config);
    return { flips, trace: [], polish: { scores, seconds: (performance.now() - begin) / 1000 } };
  });
}

/** Flips, and the score they have before polish and after each round: it never rises. */
export interface Polished {
  readonly flips: Flips;
  readonly scores: readonly number[];
}

/** The rounds alone, for an attack that ends with them. @internal */
export async function polishFlips(
  victim: Victim,
  task: AttackTask,
  from: Flips,
  config: PolishOptions,
): Promise<Polished> {
  const { budget, constraints, rng, progress = silent, signal } = task;
  checkResumed("polish", task, from);
  const standing = await openStanding(victim, task.nodes, rng);
  const proposals = proposalsFor(victim, { blockSize: config.blockSize, constraints, rng });
  const ledger = new FlipLedger(standing, { budget, constraints });
  const options = { ...config, rng, victim };
  const rounds = standing.isPatched
    ? new ExactRounds(ledger, proposals, options)
    : new CoarseRounds(ledger, proposals, options);
  const end = config.seconds > 0 ? performance.now() + 1000 * config.seconds : Number.POSITIVE_INFINITY;
  try {
    await ledger.goTo(from);
    await standing.refresh();
    let best = { flips: from, score: standing.score };
    const scores = [best.score];
    for (let round = 0; round < config.rounds && !signal?.aborted && performance.now() < end; round++) {
      await rounds.run({ round, score: best.score });
      await standing.refresh();
      const { score } = standing;
      if (score <= best.score) best = { flips: ledger.flips, score };
      else await ledger.goTo(best.flips);
      scores.push(best.score);
      progress.update(round + 1, config.rounds, `polish: ${progressNote(victim, best.score, "discrete")}`);
    }
    return (await isWeaker(victim, best.flips, from))
      ? { flips: from, scores: [scores[0]] }
      : { flips: best.flips, scores };
  } finally {
    proposals.dispose();
    standing.close();
  }
}

/**
 * Compares by whole passes: patched rows differ from them by rounding, which matters where two logits are almost equal.
 */
async function isWeaker(victim: Victim, flips: Flips, than: Flips): Promise<boolean> {
  return (await evaluateAfter(victim, flips)).score > (await evaluateAfter(victim, than)).score;
}
