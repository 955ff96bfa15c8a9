import type { Progress } from "../core/progress.ts";
import type { Needs } from "./counting-backend.ts";

/** Epochs that are not timed: they compile kernels, fill caches and make the constant products. */
export const WARM_UP = 2;

/** Epochs behind those that are timed: an epoch is reported when the next is on its way, so the last one says less. */
export const RUN_OUT = 1;

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

  /** Seconds and needs of the first `count` timed epochs' median: of one epoch, since needs grow with its active pairs. */
  perEpoch(count: number): { seconds: number; needs: Needs } {
    const timed = this.seen.slice(WARM_UP - 1, WARM_UP + count);
    const epochs = timed.slice(1).map((after, i) => difference(timed[i]!, after));
    return epochs.sort((a, b) => a.seconds - b.seconds)[epochs.length >> 1]!;
  }
}

function difference(before: Moment, after: Moment): { seconds: number; needs: Needs } {
  const since = ([key, amount]: [string, number]) => [key, amount - before.needs[key as keyof Needs]];
  return {
    seconds: (after.time - before.time) / 1000,
    needs: Object.fromEntries(Object.entries(after.needs).map(since)) as Needs,
  };
}
