import type { Progress } from "../core/progress.ts";

/** Where the bar is drawn: the part of a terminal stream that it needs. */
export interface BarStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const REDRAW_MS = 100;
const WIDTH = 24;

/**
 * Shows the progress of long work and the time left: one line that is redrawn on a terminal; elsewhere, such as in a
 * log, a line per tenth of the work.
 */
export class ProgressBar implements Progress {
  private readonly stream: BarStream;
  private readonly clock: () => number;
  private began: number;
  private share = 0;
  /** Share of the work that was done before this piece began. */
  private base = 0;
  private drawn = Number.NEGATIVE_INFINITY;
  private tenths = -1;
  private note: string | undefined;
  private open = false;

  constructor(stream: BarStream = process.stderr, clock: () => number = () => performance.now()) {
    this.stream = stream;
    this.clock = clock;
    this.began = clock();
  }

  update(done: number, total: number, note?: string): void {
    const share = total > 0 ? Math.min(1, done / total) : 0;
    if (share < this.share) this.goOn(0, total); // the next piece of work
    this.share = share;
    if (this.stream.isTTY) this.redraw(share, note);
    else this.print(share, note);
  }

  /** Begins a piece of work of which `done` was done before; the time left is estimated from what follows. */
  goOn(done: number, total: number): void {
    this.began = this.clock();
    this.share = this.base = total > 0 ? done / total : 0;
  }

  /** Ends the line, so that what is printed next does not run into it. */
  finish(): void {
    if (this.open) this.stream.write("\n");
    this.open = false;
  }

  /** Erases the bar, so that a result can be printed in its place. */
  clear(): void {
    if (this.open) this.stream.write("\r\x1b[K");
    this.open = false;
  }

  private redraw(share: number, note: string | undefined): void {
    const now = this.clock();
    if (now - this.drawn < REDRAW_MS && share < 1) return;
    this.drawn = now;
    this.open = true;
    const bar = "#".repeat(Math.round(share * WIDTH)).padEnd(WIDTH, ".");
    this.stream.write(`\r\x1b[K${`[${bar}] ${this.text(share, note)}`.slice(0, (this.stream.columns ?? 80) - 1)}`);
  }

  private print(share: number, note: string | undefined): void {
    const tenths = Math.floor(10 * share);
    if (tenths === this.tenths && note?.split(" ")[0] === this.note?.split(" ")[0]) return;
    this.tenths = tenths;
    this.note = note;
    this.stream.write(`${this.text(share, note)}\n`);
  }

  private text(share: number, note: string | undefined): string {
    const seconds = (this.clock() - this.began) / 1000;
    const left =
      share > this.base && share < 1 ? `, ${formatSeconds((seconds * (1 - share)) / (share - this.base))} left` : "";
    return `${Math.floor(100 * share)}%${left}${note ? `  ${note}` : ""}`;
  }
}

/** 75 as "1:15", 5 as "5 s". */
export function formatSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const rest = whole % 60;
  const padded = [minutes, rest].map((part) => String(part).padStart(2, "0"));
  return hours ? `${hours}:${padded.join(":")}` : `${minutes}:${padded[1]}`;
}
