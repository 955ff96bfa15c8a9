import type { WorkEvent } from "../experiment/runner/work-through.ts";
import { type BarStream, formatSeconds } from "./progress-bar.ts";

const REDRAW_MS = 200;

/**
 * Shows the progress of a study. A terminal gets one line per running job and one for all of them, redrawn in place.
 * Elsewhere, such as in a log, a line is printed for each run that ends; of many runs, for every hundredth part of them
 * and for each that fails.
 */
export class JobLines {
  private readonly labels: ReadonlyMap<string, string>;
  private readonly total: number;
  private readonly stream: BarStream;
  private readonly clock: () => number;
  private readonly began: number;
  private readonly work: ReadonlyMap<string, number>;
  private readonly allWork: number;
  private readonly jobs = new Map<number, string>();
  private ended = 0;
  private endedWork = 0;
  private failed = 0;
  private drawnLines = 0;
  private drawnAt = Number.NEGATIVE_INFINITY;

  /**
   * `labels` names the runs that are still to be done, by their ids. `seconds` is what they are expected to take. The
   * time left is estimated from this rather than from the number of runs: a study with its long runs at the end must
   * not seem nearly done.
   */
  constructor(
    labels: ReadonlyMap<string, string>,
    seconds: ReadonlyMap<string, number> = new Map(),
    stream: BarStream = process.stderr,
    clock: () => number = () => performance.now(),
  ) {
    this.labels = labels;
    this.total = labels.size;
    this.work = expectedWork([...labels.keys()], seconds);
    this.allWork = sum(this.work.values());
    this.stream = stream;
    this.clock = clock;
    this.began = clock();
  }

  tell(worker: number, event: WorkEvent): void {
    if (event.kind === "began") this.jobs.set(worker, this.label(event.run));
    else if (event.kind === "progress") this.note(worker, event);
    else this.end(worker, event);
    if (this.stream.isTTY) this.redraw();
  }

  /** Erases the lines, so that results can be printed in their place. */
  clear(): void {
    if (this.drawnLines > 0) this.stream.write(`\x1b[${this.drawnLines}A\r\x1b[J`);
    this.drawnLines = 0;
  }

  private note(worker: number, { share, note }: { share: number; note: string }): void {
    const label = (this.jobs.get(worker) ?? "").split("  ")[0];
    this.jobs.set(worker, `${label}  ${Math.floor(100 * share)}% ${note}`);
  }

  private end(worker: number, event: WorkEvent & { kind: "finished" | "failed" }): void {
    this.jobs.delete(worker);
    this.ended++;
    this.endedWork += this.work.get(event.run) ?? 0;
    if (event.kind === "failed") this.failed++;
    if (this.stream.isTTY) return;
    const every = Math.ceil(this.total / 100);
    if (event.kind === "finished" && this.ended % every !== 0 && this.ended < this.total) return;
    const what = event.kind === "failed" ? `failed: ${event.error}` : event.value.toFixed(4);
    this.stream.write(`${this.overall()}  ${this.label(event.run)}: ${what}\n`);
  }

  private redraw(): void {
    const now = this.clock();
    if (now - this.drawnAt < REDRAW_MS) return;
    this.drawnAt = now;
    this.clear();
    const width = (this.stream.columns ?? 80) - 1;
    const lines = [...[...this.jobs].sort(([a], [b]) => a - b).map(([, line]) => `  ${line}`), this.overall()];
    this.stream.write(lines.map((line) => `${line.slice(0, width)}\n`).join(""));
    this.drawnLines = lines.length;
  }

  private overall(): string {
    const seconds = (this.clock() - this.began) / 1000;
    const secondsLeft = (seconds / this.endedWork) * (this.allWork - this.endedWork);
    const left = this.endedWork > 0 ? `, ${formatSeconds(secondsLeft)} left` : "";
    const failed = this.failed > 0 ? `, ${this.failed} failed` : "";
    return `${this.ended} of ${this.total} runs${failed}${this.ended < this.total ? left : ""}`;
  }

  private label(run: string): string {
    return this.labels.get(run) ?? run;
  }
}

/** Expected seconds of each run; a run without an estimate counts as an average one. */
function expectedWork(runs: readonly string[], seconds: ReadonlyMap<string, number>): Map<string, number> {
  const known = runs.filter((run) => seconds.has(run));
  const average = sum(known.map((run) => seconds.get(run)!)) / known.length || 1;
  return new Map(runs.map((run) => [run, seconds.get(run) ?? average]));
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
