import type { Progress } from "../core/progress.ts";
import type { Ceilings } from "./ceilings.ts";
import type { Needs } from "./need-counter.ts";

/** Epochs before the timed ones: they compile kernels, fill caches and compute the constant products. */
export const WARM_UP = 2;

/** Epochs after the timed ones: an epoch is reported when the next has begun, and the last may do extra work. */
export const RUN_OUT = 2;

/** Ceilings are measured before the first timed epoch, then about this often, the last time after the last epoch. */
const SAMPLES = 8;

/** An epoch and what it needed. */
export interface TimedEpoch {
  readonly seconds: number;
  readonly needs: Needs;
}

/** Times of a run, and the ceilings that were measured before, among and after its epochs. */
export interface EpochTimes {
  readonly median: TimedEpoch;
  readonly best: TimedEpoch;
  readonly ceilings: readonly Ceilings[];
}

interface Moment {
  readonly time: number;
  readonly needs: Needs;
}

/** Times epochs, counts what each needs, and measures ceilings among them. It is called as the progress of the run. */
export class EpochTimer implements Progress {
  private readonly needs: Needs;
  private readonly sample: () => Ceilings;
  private readonly count: number;
  private readonly warmUp: number;
  private readonly epochs: TimedEpoch[] = [];
  private readonly samples: Ceilings[] = [];
  private begin: Moment | null = null;

  /** Times the `count` epochs after the warm-up and ignores all others. */
  constructor(needs: Needs, sample: () => Ceilings, count: number, warmUp = WARM_UP) {
    this.needs = needs;
    this.sample = sample;
    this.count = count;
    this.warmUp = warmUp;
  }

  update(): void {
    if (this.begin) this.epochs.push(difference(this.begin, this.now()));
    const timed = this.epochs.length - (this.warmUp - 1);
    const isAmong = timed >= 0 && timed <= this.count;
    const every = Math.ceil(this.count / SAMPLES);
    if (isAmong && (timed % every === 0 || timed === this.count)) this.samples.push(this.sample());
    this.begin = this.now();
  }

  /** The median and the shortest of the timed epochs, each with its own needs, because needs grow with active pairs. */
  result(): EpochTimes {
    const timed = this.epochs.slice(this.warmUp - 1, this.warmUp - 1 + this.count);
    timed.sort((a, b) => a.seconds - b.seconds);
    return { median: timed[timed.length >> 1], best: timed[0], ceilings: this.samples };
  }

  private now(): Moment {
    return { time: performance.now(), needs: { ...this.needs } };
  }
}

function difference(before: Moment, after: Moment): TimedEpoch {
  const since = ([key, amount]: [string, number]) => [key, amount - before.needs[key as keyof Needs]];
  return {
    seconds: (after.time - before.time) / 1000,
    needs: Object.fromEntries(Object.entries(after.needs).map(since)) as Needs,
  };
}
