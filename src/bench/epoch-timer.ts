import type { Progress } from "../core/progress.ts";
import type { Needs } from "./counting-backend.ts";

/** Epochs that are not timed: they compile kernels, fill caches and make the constant products. */
export const WARM_UP = 2;

/** Epochs behind those that are timed: an epoch is reported when the next is on its way, so the last one says less. */
export const RUN_OUT = 1;

/** Times epochs, and counts what each needed, by listening to their progress. */
export class EpochTimer implements Progress {
  private readonly needs: Needs;
  private readonly seen: { time: number; needs: Needs }[] = [];

  constructor(needs: Needs) {
    this.needs = needs;
  }

  update(): void {
    this.seen.push({ time: performance.now(), needs: { ...this.needs } });
  }

  /** Median seconds of the first `count` timed epochs, and the mean of their needs. */
  perEpoch(count: number): { seconds: number; needs: Needs } {
    const timed = this.seen.slice(WARM_UP - 1, WARM_UP + count);
    const times = timed.slice(1).map(({ time }, i) => time - timed[i]!.time);
    const [first, last] = [timed[0]!.needs, timed.at(-1)!.needs];
    const mean = ([key, amount]: [string, number]) => [key, (amount - first[key as keyof Needs]) / times.length];
    const seconds = times.sort((a, b) => a - b)[times.length >> 1]! / 1000;
    return { seconds, needs: Object.fromEntries(Object.entries(last).map(mean)) as Needs };
  }
}
