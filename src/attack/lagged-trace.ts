import { breathe } from "../core/breathe.ts";
import { Lagged } from "../core/lagged.ts";
import type { Tensor } from "../tensor/index.ts";
import type { TraceEntry } from "./attack.ts";
import { traceEntry } from "./trace.ts";
import type { LaunchedEvaluation, Victim } from "./victim.ts";

/**
 * The trace of an attack that launches epochs ahead. The host reads the numbers of an epoch while the device computes
 * the next: so the device is never idle, and never more than one epoch ahead of what was read.
 */
export class LaggedTrace {
  readonly entries: TraceEntry[] = [];
  private readonly victim: Victim;
  private readonly onEntry: (entry: TraceEntry, epoch: number) => void;
  private readonly lagged = new Lagged<TraceEntry>();

  constructor(victim: Victim, onEntry: (entry: TraceEntry, epoch: number) => void) {
    this.victim = victim;
    this.onEntry = onEntry;
  }

  /** Takes over the tensors of an epoch, and waits for the numbers of the epoch before it. */
  async add(outcome: LaunchedEvaluation, report?: Tensor): Promise<void> {
    await this.append(this.lagged.next(report ? this.readAll(outcome, report) : this.read(outcome)));
  }

  /** Waits for the numbers of the last epoch. */
  async end(): Promise<TraceEntry[]> {
    await this.append(this.lagged.last());
    return this.entries;
  }

  private async append(pending: Promise<TraceEntry | null>): Promise<void> {
    await breathe(); // lets Ctrl-C and timers through
    const entry = await pending;
    if (!entry) return;
    this.entries.push(entry);
    this.onEntry(entry, this.entries.length);
  }

  private async read(launched: LaunchedEvaluation): Promise<TraceEntry> {
    const values = [launched.loss.item(), launched.score.item()] as const;
    for (const tensor of [launched.loss, launched.score]) tensor.dispose(); // the reads are launched already
    const [loss, score] = await Promise.all(values);
    return traceEntry(this.victim, { loss, score });
  }

  private async readAll(launched: LaunchedEvaluation, report: Tensor): Promise<TraceEntry> {
    const values = [this.read(launched), report.read()] as const;
    report.dispose();
    const [entry, sums] = await Promise.all(values);
    return { ...entry, mass: sums[0], shift: sums[1] };
  }
}
