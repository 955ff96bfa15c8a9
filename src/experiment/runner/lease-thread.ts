// Entry point of the thread that keeps leases.
import { parentPort, workerData } from "node:worker_threads";
import { openRunStore } from "../store/open-run-store.ts";
import type { RunStore } from "../store/store.ts";
import type { LeaseSetup } from "./keep-leases.ts";

const { place, owner, lease } = workerData as LeaseSetup;
let store: RunStore | null = null;
let prolonged: Promise<void> = Promise.resolve();

async function prolong(): Promise<void> {
  try {
    store ??= await openRunStore(place);
    await store.heartbeat(owner, lease.milliseconds);
  } catch {} // the server is away: the next beat tries again, before the lease ends
}

const beats = setInterval(() => {
  prolonged = prolonged.then(prolong);
}, lease.renewedAfter);

parentPort!.once("message", async () => {
  clearInterval(beats);
  await prolonged;
  await store?.close();
});
