import { relax } from "../../tensor/index.ts";
import { blockOfFlips } from "../block.ts";
import { tanhMargin } from "../losses.ts";
import type { Victim } from "../victim.ts";
import type { RoundOptions, RoundStart } from "./exact-round.ts";
import { type FlipLedger, type Pair, toPairs } from "./flip-ledger.ts";
import type { Proposals } from "./proposals.ts";

/** Steps in which freed budget is spent. */
const STEPS = 16;
/** Factors by which the share of exchanged flips grows or shrinks after a round, and its lower bound. */
const GROWTH = 1.2;
const SHRINKAGE = 0.6;
const SMALLEST_SHARE = 0.05;
/** Factor of that share if proposals are random: most of them are bad. */
const WITHOUT_GRADIENT = 0.1;

/**
 * Rounds for models that only whole passes can evaluate: the flips that are worth least are replaced by proposals, and
 * the caller keeps the result if it is not worse. After a round that lowers the score the next one replaces more flips,
 * else fewer.
 */
export class CoarseRounds {
  private readonly ledger: FlipLedger;
  private readonly proposals: Proposals;
  private readonly options: RoundOptions & { readonly victim: Victim };
  private share: number;

  constructor(ledger: FlipLedger, proposals: Proposals, options: RoundOptions & { readonly victim: Victim }) {
    this.ledger = ledger;
    this.proposals = proposals;
    this.options = options;
    this.share = options.share * (this.hasGradient ? 1 : WITHOUT_GRADIENT);
  }

  /** `score`: that of the flips it starts from. */
  async run({ score }: RoundStart): Promise<void> {
    const dropped = await this.leastWorth();
    await (this.hasGradient ? this.replaceInSteps(dropped) : this.replaceAtOnce(dropped));
    await this.ledger.standing.refresh();
    const isBetter = this.ledger.standing.score < score;
    const smallest = SMALLEST_SHARE * (this.hasGradient ? 1 : WITHOUT_GRADIENT);
    this.share = Math.min(this.options.share, Math.max(smallest, this.share * (isBetter ? GROWTH : SHRINKAGE)));
  }

  private get hasGradient(): boolean {
    return this.options.victim.model.differentiable.edges;
  }

  /** In steps, because proposals depend on the flips made before. */
  private async replaceInSteps(dropped: readonly Pair[]): Promise<void> {
    await this.ledger.toggle(dropped);
    for (let step = 0; step < STEPS && this.ledger.room > 0; step++) {
      const count = Math.ceil(this.ledger.room / (STEPS - step));
      await this.ledger.toggle(await this.proposals.draw(this.ledger, count));
    }
  }

  /** At once, because random proposals learn nothing from a change before them. */
  private async replaceAtOnce(dropped: readonly Pair[]): Promise<void> {
    const fresh = await this.proposals.draw(this.ledger, dropped.length + this.ledger.room);
    await this.ledger.toggle([...dropped, ...fresh]);
  }

  /** A share of the flips: half of them those without which the loss falls least, to first order, half at random. */
  private async leastWorth(): Promise<Pair[]> {
    const { rng } = this.options;
    const pairs = toPairs(this.ledger.flips);
    const worth = await this.worth();
    const order = Array.from(pairs.keys()).sort((a, b) => worth[a] - worth[b]);
    const least = new Set(order.slice(0, Math.ceil((this.share * pairs.length) / 2)));
    return pairs.filter((_, k) => rng.uniform() < this.share / 2 || least.has(k));
  }

  /** What the loss gains from each flip, to first order; random if the model has no gradient. */
  private async worth(): Promise<ArrayLike<number>> {
    const { victim, rng } = this.options;
    const { flips } = this.ledger;
    if (!this.hasGradient) return Float32Array.from(flips.sources, () => rng.uniform());
    const block = blockOfFlips(victim.view, flips);
    try {
      const { gradient } = await victim.step(
        () => relax(victim.view, block, 0),
        victim.objective.loss ?? tanhMargin,
        block.weights,
      );
      const worth = await gradient.read();
      gradient.dispose();
      return worth;
    } finally {
      block.dispose();
    }
  }
}
