/**
 * Waits for results one step late. The device works on the next step while the numbers of the previous one are being
 * read, and is never more than one step ahead of what was read.
 */
export class Lagged<T> {
  private before: Promise<T> | null = null;

  /** Takes the result of a step and returns that of the step before, or null for the first step. */
  async next(current: Promise<T>): Promise<T | null> {
    const { before } = this;
    this.before = current;
    current.catch(() => {}); // reported to whoever awaits it next, not as an unhandled rejection
    return before;
  }

  /** The result of the last step, or null if there is none left to return. */
  async last(): Promise<T | null> {
    const { before } = this;
    this.before = null;
    return before;
  }
}
