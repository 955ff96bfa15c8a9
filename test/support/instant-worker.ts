// A process that works through a store with results that cost nothing, for tests that kill it. Prints the id of each run that it has
// finished, after the store has it.
import { setTimeout } from "node:timers/promises";
import { newOwner } from "../../src/experiment/runner/owner.ts";
import { workThrough } from "../../src/experiment/runner/work-through.ts";
import { openRunStore } from "../../src/experiment/store/open-run-store.ts";
import { instantOutcome } from "./any-runs.ts";

const [, , place, pause] = process.argv;
const store = await openRunStore(place, { milliseconds: 60_000 });
await workThrough(store, {
  owner: newOwner(),
  place,
  measure: async (run) => {
    await setTimeout(Number(pause));
    return instantOutcome(run);
  },
  tell: (event) => {
    if (event.kind === "finished") process.stdout.write(`${event.run}\n`);
  },
});
await store.close();
