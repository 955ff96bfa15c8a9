/**
 * Results that are waited for one step late: a device works on the next step while the numbers of the last one are on their way,
 * and is never more than one step ahead of what was read.
 */
export class Lagged<T> {
  private before: Promise<T> | null = null;

  /** Takes over a step's result and returns that of the step before, or null after the first. */
  async next(current: Promise<T>): Promise<T | null> {
    const { before } = this;
    this.before = current;
    current.catch(() => {}); // whoever waits for it next hears of it
    return before;
  }

  /** The last step's result, or null if there is none that was not returned. */
  async last(): Promise<T | null> {
    const { before } = this;
    this.before = null;
    return before;
  }
}
