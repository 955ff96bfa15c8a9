/** Receives the progress of long work. The library prints nothing by itself; the command line draws bars. */
export interface Progress {
  /** `done` of `total` steps are finished; `note` is a short text such as "loss 0.41, val 0.79". */
  update(done: number, total: number, note?: string): void;
}

export const silent: Progress = { update() {} };
