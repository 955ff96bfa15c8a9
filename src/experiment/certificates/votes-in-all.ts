import { type Progress, silent } from "../../core/progress.ts";
import { samplesIn } from "../../files/votes-file.ts";

/** Progress of counting votes into several files, as one piece of work. */
export class VotesInAll {
  readonly total: number;
  private readonly progress: Progress;
  /** Samples in each file. */
  private readonly counted = new Map<string, number>();

  /** Counts until each of `files` has `samplesEach` samples, including those already there. */
  constructor(files: readonly string[], samplesEach: number, progress: Progress = silent) {
    this.total = files.length * samplesEach;
    this.progress = progress;
    for (const file of files) {
      const { choosing, bounding } = samplesIn(file);
      this.counted.set(file, choosing + bounding);
    }
  }

  get done(): number {
    return this.counted.values().reduce((sum, samples) => sum + samples, 0);
  }

  /** The progress of counting into one of the files. */
  into(file: string): Progress {
    return {
      update: (samples, _, note) => {
        this.counted.set(file, samples);
        this.progress.update(this.done, this.total, note);
      },
    };
  }

  /** The progress of work that comes before, such as training: its notes are passed on, and no vote is counted. */
  get before(): Progress {
    return { update: (_done, _total, note) => this.progress.update(this.done, this.total, note) };
  }
}
