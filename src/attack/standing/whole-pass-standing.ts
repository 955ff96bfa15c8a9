import type { EdgeChanges } from "../../backend/backend.ts";
import { type Flips, noFlips } from "../../graph/flips.ts";
import { toggleFlips } from "../choose-flips.ts";
import type { Victim } from "../victim.ts";
import { evaluateAfter, type SeenGraph } from "./evaluate-after.ts";
import type { Gains, Standing } from "./standing.ts";

/** Stands at the clean graph of any model; every change costs a forward pass. */
export async function openWholePass(victim: Victim): Promise<Standing> {
  return new WholePassStanding(victim, noFlips, await evaluateAfter(victim, noFlips));
}

class WholePassStanding implements Standing {
  readonly isPatched = false;
  private readonly victim: Victim;
  private flips: Flips;
  /** What the last pass showed; it is out of date after a toggle. */
  private seen: SeenGraph;
  private isUpToDate = true;

  constructor(victim: Victim, flips: Flips, seen: SeenGraph) {
    this.victim = victim;
    this.flips = flips;
    this.seen = seen;
  }

  get score(): number {
    return this.seen.score;
  }

  get potential(): number {
    return this.potentialOf(this.seen);
  }

  async gains({ offsets, sources, targets }: EdgeChanges): Promise<Gains> {
    await this.refresh();
    const score: number[] = [];
    const potential: number[] = [];
    for (let t = 0; t + 1 < offsets.length; t++) {
      const begin = offsets[t];
      const end = offsets[t + 1];
      const change = { sources: sources.subarray(begin, end), targets: targets.subarray(begin, end) };
      const changed = await evaluateAfter(this.victim, toggleFlips(this.flips, change));
      score.push(changed.score - this.seen.score);
      potential.push(this.potentialOf(changed) - this.potential);
    }
    return { score, potential };
  }

  async toggle(flips: Flips): Promise<void> {
    this.flips = toggleFlips(this.flips, flips);
    this.isUpToDate = false;
  }

  async refresh(): Promise<void> {
    if (this.isUpToDate) return;
    this.seen = await evaluateAfter(this.victim, this.flips);
    this.isUpToDate = true;
  }

  margins(): Float32Array | null {
    return this.seen.margins ?? null;
  }

  close(): void {}

  private potentialOf({ loss }: SeenGraph): number {
    return -loss * this.victim.attacked.size;
  }
}
