import { check, Interrupted, UserError } from "../../core/errors.ts";
import type { Progress } from "../../core/progress.ts";
import type { StopSignal } from "../../core/stop-signal.ts";
import type { Watch } from "../../nn/training/train.ts";
import { ServerGone } from "../store/patient-database.ts";
import type { RunOutcome, RunStore, TakenRun, TakeOptions } from "../store/store.ts";
import type { RunDescription } from "../study/run-description.ts";
import { keepLeases, LEASE, type Lease } from "./keep-leases.ts";

/** Events that a process reports about its work. */
export type WorkEvent =
  | { readonly kind: "began"; readonly run: string }
  | { readonly kind: "progress"; readonly share: number; readonly note: string }
  | { readonly kind: "finished"; readonly run: string; readonly value: number; readonly seconds: number }
  | { readonly kind: "failed"; readonly run: string; readonly error: string };

export interface WorkOptions {
  readonly owner: string;
  /** Where the store is. */
  readonly place: string;
  readonly lease?: Lease;
  readonly measure: (run: RunDescription, watch: Watch) => Promise<RunOutcome>;
  /** Only runs of this study. */
  readonly study?: string;
  readonly devices?: readonly string[];
  /** Only runs that this code has planned. */
  readonly code?: readonly string[];
  readonly signal?: StopSignal;
  readonly tell?: (event: WorkEvent) => void;
}

/**
 * Takes work from the store, measures it and keeps the results, until nothing waits any more. An error fails only the
 * run in which it happens. If interrupted, unfinished runs wait again.
 */
export async function workThrough(store: RunStore, options: WorkOptions): Promise<void> {
  const { owner, place, lease = LEASE, study, devices, code, signal } = options;
  let endLeases: (() => void) | undefined;
  const take: TakeOptions = {
    owner,
    leaseMs: lease.milliseconds,
    ...(study !== undefined && { study }),
    ...(devices && { devices }),
    ...(code !== undefined && { code }),
  };
  let isServerGone = false;
  try {
    while (!signal?.aborted) {
      const runs = await store.take(take);
      if (!runs) return;
      endLeases ??= keepLeases({ place, owner, lease });
      for (const run of largestFirst(runs)) {
        if (signal?.aborted) break;
        await measureOne(store, run, options);
      }
    }
  } catch (error) {
    isServerGone = error instanceof ServerGone;
    if (!(error instanceof Interrupted)) throw error;
  } finally {
    endLeases?.();
    if (!isServerGone) await store.handBack(owner); // without the server, the leases end by themselves
  }
}

async function measureOne(store: RunStore, run: TakenRun, options: WorkOptions): Promise<void> {
  const { owner, measure, signal, tell } = options;
  tell?.({ kind: "began", run: run.id });
  let outcome: RunOutcome;
  try {
    outcome = await measure(run.description, { progress: told(tell), ...(signal && { signal }) });
    checkNumbers(run.description, outcome);
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    const { message } = error as Error;
    await store.fail(run.id, owner, message, !(error instanceof UserError)); // a user's mistake fails every time
    tell?.({ kind: "failed", run: run.id, error: message });
    return;
  }
  const isKept = await store.finish(run.id, owner, outcome);
  if (isKept) tell?.({ kind: "finished", run: run.id, value: outcome.value, seconds: outcome.seconds });
}

/** A single NaN or infinite value would spoil every mean. */
function checkNumbers({ cell }: RunDescription, { value, clean }: RunOutcome): void {
  check(Number.isFinite(value), () => `${cell.quantity} is ${value}`);
  check(Number.isFinite(clean), () => `${cell.quantity} on the clean graph is ${clean}`);
}

/** Largest budget first: its flips may begin with those of all smaller budgets. */
function largestFirst(runs: readonly TakenRun[]): TakenRun[] {
  const budget = ({ description }: TakenRun) => description.cell.attack?.budget ?? 0;
  return [...runs].sort((a, b) => budget(b) - budget(a));
}

/** Least milliseconds between two messages about progress: terminals are redrawn less often. */
const TELL_MS = 200;

function told(tell: WorkOptions["tell"]): Progress {
  let last = 0;
  return {
    update(done, total, note = "") {
      const now = performance.now();
      if (!tell || now - last < TELL_MS) return;
      last = now;
      tell({ kind: "progress", share: total > 0 ? done / total : 0, note });
    },
  };
}
