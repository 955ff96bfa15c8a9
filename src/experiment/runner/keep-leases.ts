import { Worker } from "node:worker_threads";

/** How long runs belong to the process that took them, and how often it prolongs that. */
export interface Lease {
  readonly milliseconds: number;
  readonly renewedAfter: number;
}

/**
 * Long enough to outlast a server that is away for a while. Leases of processes known to be dead are released at once.
 */
export const LEASE: Lease = { milliseconds: 300_000, renewedAfter: 30_000 };

/** What the thread that keeps leases is given. */
export interface LeaseSetup {
  /** Where the store is. */
  readonly place: string;
  readonly owner: string;
  readonly lease: Lease;
}

/**
 * Prolongs the leases of an owner until the returned function is called, on a thread of its own: the thread that measures may compute
 * for minutes without a pause.
 */
export function keepLeases(setup: LeaseSetup): () => void {
  const file = new URL(import.meta.url.replace(/keep-leases(\.[jt]s)$/, "lease-thread$1"));
  const thread = new Worker(file, { workerData: setup, name: "rgnn-leases" });
  thread.unref();
  return () => thread.postMessage("end");
}
