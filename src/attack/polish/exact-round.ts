import type { Rng } from "../../core/rng.ts";
import type { FlipLedger, Pair } from "./flip-ledger.ts";
import type { Proposals } from "./proposals.ts";
import { takeBest } from "./take-best.ts";

/** Parts in which freed budget is spent, each with fresh proposals: what was flipped before changes what is best after it. */
const PARTS = 4;
/** Proposals in a row that bring nothing before a round gives up. */
const PATIENCE = 2;
/** Good pairs remembered from one round to the next. */
const REMEMBERED = 1000;

/** How rounds are made. */
export interface RoundOptions {
  /** Pairs proposed at once. */
  readonly candidates: number;
  /** Share of the flips worth at most one node that a round drops at random. */
  readonly share: number;
  readonly rng: Rng;
}

/** Where a round starts. */
export interface RoundStart {
  /** How many rounds were made before. */
  readonly round: number;
  /** The score of the flips it starts from. */
  readonly score: number;
}

/**
 * Rounds that try every change exactly: drop what is useless and, at random, some of what is worth little; then spend the freed budget
 * on the pairs that lower the score most.
 */
export class ExactRounds {
  private readonly ledger: FlipLedger;
  private readonly proposals: Proposals;
  private readonly options: RoundOptions;
  /** Pairs that would have paid but came too late. */
  private remembered: Pair[] = [];

  constructor(ledger: FlipLedger, proposals: Proposals, options: RoundOptions) {
    this.ledger = ledger;
    this.proposals = proposals;
    this.options = options;
  }

  async run({ round }: RoundStart): Promise<void> {
    await this.dropUseless();
    if (round > 0) await this.dropAtRandom();
    await this.refill();
  }

  /** Takes back flips that are not needed: the score does not rise without them. */
  private async dropUseless(): Promise<void> {
    const { pairs } = this.ledger;
    await takeBest(this.ledger, pairs, { count: pairs.length, pays: (score) => score <= 0 });
  }

  private async dropAtRandom(): Promise<void> {
    const { share, rng } = this.options;
    const { pairs } = this.ledger;
    const { score } = await this.ledger.gains(pairs);
    await this.ledger.toggle(pairs.filter((_, k) => score[k] <= 1 && rng.uniform() < share));
  }

  private async refill(): Promise<void> {
    for (let idle = 0; this.ledger.room > 0 && idle < PATIENCE; ) {
      const { room } = this.ledger;
      const proposed = await this.candidates();
      const count = Math.max(1, Math.ceil(room / PARTS));
      const pays = (score: number, potential: number) => score < 0 || (score === 0 && potential < 0);
      this.remembered = (await takeBest(this.ledger, proposed, { count, pays })).slice(0, REMEMBERED);
      idle = this.ledger.room < room ? 0 : idle + 1;
    }
  }

  private async candidates(): Promise<Pair[]> {
    const fresh = await this.proposals.draw(this.ledger, this.options.candidates);
    const all = new Map([...fresh, ...this.remembered].map((pair) => [String(pair), pair]));
    return [...all.values()].filter((pair) => !this.ledger.has(pair) && this.ledger.permits(pair));
  }
}
