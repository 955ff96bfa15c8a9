import type { Progress } from "../core/progress.ts";
import type { Steps } from "../experiment/robustness.ts";
import { ProgressBar } from "./progress-bar.ts";

/** Tells on stderr which step runs, how far it is on a terminal, and what came of it. */
export class TerminalSteps implements Steps {
  private bar: ProgressBar | null = null;
  private what = "";

  begin(what: string): Progress {
    this.what = what;
    if (!process.stderr.isTTY) return { update() {} };
    const bar = new ProgressBar();
    this.bar = bar;
    return { update: (done, total, note) => bar.update(done, total, note ? `${what}: ${note}` : what) };
  }

  end(result: string): void {
    this.bar?.clear();
    this.bar = null;
    process.stderr.write(`${this.what}: ${result}\n`);
  }
}
