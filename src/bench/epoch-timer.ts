import type { Progress } from "../core/progress.ts";
import type { Needs } from "./counting-backend.ts";

/** Epochs that are not timed: they compile kernels, fill caches and make the constant products. */
export const WARM_UP = 2;

/** Epochs behind those that are timed: one is reported when the next is on its way, and the last may do other things. */
export const RUN_OUT = 2;

/** An epoch and what it needed. */
export interface TimedEpoch {
  readonly seconds: number;
  readonly needs: Needs;
}

interface Moment {
  readonly time: number;
  readonly needs: Needs;
}

/** Times epochs, and counts what each needed, by listening to their progress. */
export class EpochTimer implements Progress {
  private readonly needs: Needs;
  private readonly seen: Moment[] = [];

  constructor(needs: Needs) {
    this.needs = needs;
  }

  update(): void {
    this.seen.push({ time: performance.now(), needs: { ...this.needs } });
  }

  /** The median and the shortest of the first `count` timed epochs, each with its own needs: they grow with active pairs. */
  perEpoch(count: number): { median: TimedEpoch; best: TimedEpoch } {
    const timed = this.seen.slice(WARM_UP - 1, WARM_UP + count);
    const epochs = timed.slice(1).map((after, i) => difference(timed[i]!, after));
    epochs.sort((a, b) => a.seconds - b.seconds);
    return { median: epochs[epochs.length >> 1]!, best: epochs[0]! };
  }
}

function difference(before: Moment, after: Moment): TimedEpoch {
  const since = ([key, amount]: [string, number]) => [key, amount - before.needs[key as keyof Needs]];
  return {
    seconds: (after.time - before.time) / 1000,
    needs: Object.fromEntries(Object.entries(after.needs).map(since)) as Needs,
  };
}
