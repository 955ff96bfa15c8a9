// A process that measures runs. The parent process sends its settings and receives its events; when the parent is gone,
// this process exits.

import { openRunStore } from "../store/open-run-store.ts";
import { measuringCode } from "../study/code-hash.ts";
import { runFacts } from "./run-facts.ts";
import { RunMeasurer } from "./run-measurer.ts";
import { workThrough } from "./work-through.ts";
import type { WorkerSettings } from "./worker-pool.ts";

/** How long to wait for a server that goes away. */
const PATIENCE_MS = 600_000;
const stop = new AbortController();
process.on("SIGINT", () => {}); // a terminal sends Ctrl-C to all processes; the parent decides what it means
process.on("disconnect", () => process.exit(1));
process.once("message", (settings: WorkerSettings) => {
  process.on("message", () => stop.abort());
  work(settings).then(
    () => process.exit(0),
    (error: Error) => process.send?.({ kind: "ended", error: error.message }, () => process.exit(1)),
  );
});

async function work({ place, artefacts, owner, study, devices, threads, dataDir }: WorkerSettings): Promise<void> {
  const store = await openRunStore(place, { milliseconds: PATIENCE_MS });
  const measurer = new RunMeasurer({
    artefacts,
    facts: runFacts(),
    threads,
    ...(dataDir !== undefined && { dataDir }),
  });
  await workThrough(store, {
    owner,
    place,
    code: measuringCode(),
    measure: (run, watch) => measurer.measure(run, watch),
    ...(study !== undefined && { study }),
    ...(devices && { devices }),
    signal: stop.signal,
    tell: (event) => process.send?.(event),
  });
  await measurer.close();
  await store.close();
}
