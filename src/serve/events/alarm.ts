/** Lets one loop sleep until something happens or a time has passed. */
export class Alarm {
  private hasRung = false;
  private ring: () => void = () => {
    this.hasRung = true;
  };

  wake(): void {
    this.ring();
  }

  /** Returns at once if `wake` was called since the last sleep. */
  async sleep(milliseconds: number): Promise<void> {
    if (!this.hasRung) {
      const asleep = this.ring;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.ring = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.ring = asleep;
    }
    this.hasRung = false;
  }
}
