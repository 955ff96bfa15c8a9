import type { Flips } from "../../graph/flips.ts";
import { ascending, toggleFlips } from "../choose-flips.ts";
import { Allowance } from "../constraints/allowance.ts";
import type { Constraints } from "../constraints/constraints.ts";
import type { Gains, Standing } from "../standing/standing.ts";

/** A node pair; on an undirected graph the smaller node first. */
export type Pair = readonly [number, number];

/** What bounds the flips of a search. */
export interface Bounds {
  readonly budget: number;
  readonly constraints: Constraints | undefined;
}

/** The flips at which a search stands, within budget and constraints. */
export class FlipLedger {
  readonly standing: Standing;
  private readonly bounds: Bounds;
  private readonly made = new Map<string, Pair>();
  private readonly allowance: Allowance;

  constructor(standing: Standing, bounds: Bounds) {
    this.standing = standing;
    this.bounds = bounds;
    this.allowance = new Allowance(bounds.constraints);
  }

  /** How many further flips the budget allows. */
  get room(): number {
    return this.bounds.budget - this.made.size;
  }

  get pairs(): Pair[] {
    return [...this.made.values()];
  }

  /** The flips made, in ascending order. */
  get flips(): Flips {
    return ascending(toFlips(this.pairs));
  }

  has(pair: Pair): boolean {
    return this.made.has(String(pair));
  }

  /** Whether a pair may be flipped, or flipped back. */
  permits(pair: Pair): boolean {
    return this.has(pair) || this.allowance.permits(...pair);
  }

  /** What toggling each of these pairs would do, each on its own. */
  async gains(pairs: readonly Pair[]): Promise<Gains> {
    const offsets = Int32Array.from({ length: pairs.length + 1 }, (_, k) => k);
    return this.standing.gains({ offsets, ...toFlips(pairs) });
  }

  /** Flips pairs, or flips them back. */
  async toggle(pairs: readonly Pair[]): Promise<void> {
    if (pairs.length === 0) return;
    for (const pair of pairs) this.note(pair);
    await this.standing.toggle(toFlips(pairs));
  }

  /** Toggles whatever makes these the flips of the ledger. */
  async goTo(flips: Flips): Promise<void> {
    await this.toggle(toPairs(toggleFlips(this.flips, flips)));
  }

  private note(pair: Pair): void {
    const name = String(pair);
    if (this.made.delete(name)) {
      this.allowance.giveBack(...pair);
    } else {
      this.made.set(name, pair);
      this.allowance.take(...pair);
    }
  }
}

export function toFlips(pairs: readonly Pair[]): Flips {
  return { sources: Int32Array.from(pairs, ([i]) => i), targets: Int32Array.from(pairs, ([, j]) => j) };
}

export function toPairs({ sources, targets }: Flips): Pair[] {
  return Array.from(sources, (i, k) => [i, targets[k]] as const);
}
