import type { StopSignal } from "../../core/stop-signal.ts";

/** Asks work to stop after a time, or when another signal does. */
export class Deadline implements StopSignal {
  private readonly signal: StopSignal | undefined;
  private readonly begin = performance.now();
  private readonly seconds: number;

  /** `seconds`: 0 for no limit. */
  constructor(signal: StopSignal | undefined, seconds: number) {
    this.signal = signal;
    this.seconds = seconds;
  }

  get aborted(): boolean {
    return this.isOver(1);
  }

  /** Stops after a share of the time. */
  part(share: number): StopSignal {
    const isOver = () => this.isOver(share);
    return {
      get aborted() {
        return isOver();
      },
    };
  }

  private isOver(share: number): boolean {
    const elapsed = (performance.now() - this.begin) / 1000;
    return (this.signal?.aborted ?? false) || (this.seconds > 0 && elapsed > share * this.seconds);
  }
}
