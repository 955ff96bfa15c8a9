import type { RoundOptions } from "./exact-round.ts";
import type { FlipLedger, Pair } from "./flip-ledger.ts";
import type { Proposals } from "./proposals.ts";

/** Steps in which freed budget is spent. */
const STEPS = 5;

/**
 * Rounds for models that only whole passes can evaluate: a random share of the flips is replaced by what is proposed, and the caller
 * keeps the result if it is not worse.
 */
export class CoarseRounds {
  private readonly ledger: FlipLedger;
  private readonly proposals: Proposals;
  private readonly options: RoundOptions;

  constructor(ledger: FlipLedger, proposals: Proposals, options: RoundOptions) {
    this.ledger = ledger;
    this.proposals = proposals;
    this.options = options;
  }

  async run(): Promise<void> {
    await this.dropAtRandom();
    for (let step = 0; step < STEPS && this.ledger.room > 0; step++) {
      const count = Math.ceil(this.ledger.room / (STEPS - step));
      await this.ledger.toggle(await this.proposals.draw(this.ledger, count));
    }
  }

  private async dropAtRandom(): Promise<void> {
    const { share, rng } = this.options;
    const dropped: Pair[] = this.ledger.pairs.filter(() => rng.uniform() < share);
    await this.ledger.toggle(dropped);
  }
}
