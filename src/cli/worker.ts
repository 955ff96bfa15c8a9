import { availableParallelism } from "node:os";
import { setTimeout } from "node:timers/promises";
import { Command } from "commander";
import { check } from "../core/errors.ts";
import { checkDevice } from "../experiment/open-device.ts";
import { newOwner, releaseDead } from "../experiment/runner/owner.ts";
import { runFacts } from "../experiment/runner/run-facts.ts";
import { RunMeasurer } from "../experiment/runner/run-measurer.ts";
import { type WorkEvent, workThrough } from "../experiment/runner/work-through.ts";
import { openRunStore } from "../experiment/store/open-run-store.ts";
import type { RunStore } from "../experiment/store/store.ts";
import { measuringCode } from "../experiment/study/code-hash.ts";
import type { RunDescription } from "../experiment/study/run-description.ts";
import { DEVICES } from "../experiment/study/study-file.ts";
import type { Watch } from "../nn/training/train.ts";
import { interruptible } from "./interrupt.ts";
import { wholeNumber } from "./number-options.ts";
import { given } from "./options.ts";
import { artefactsBeside, DEFAULT_STORE } from "./store-place.ts";

interface WorkerFlags {
  readonly store: string;
  readonly artefacts?: string;
  readonly study?: string;
  readonly devices: string;
  readonly threads: number;
  readonly dataDir?: string;
  readonly wait: number;
  readonly patience: number;
}

/** `rgnn worker` */
export function workerCommand(): Command {
  return new Command("worker")
    .description("Take runs from a shared store and measure them, beside any number of other workers")
    .option("--store <place>", "postgres://user:password@host/database, or a file", DEFAULT_STORE)
    .option("--artefacts <folder>", "trained models and flips (default: artefacts beside the store)")
    .option("--study <name>", "only runs of this study")
    .option("--devices <names>", "take runs for these: cpu,webgpu", "cpu")
    .option("--threads <n>", "worker threads of the CPU", wholeNumber, availableParallelism())
    .option("--data-dir <folder>", "look here before $RGNN_DATA and the cache folder")
    .option("--wait <seconds>", "end when nothing was to be done for so long", wholeNumber, 60)
    .option("--patience <seconds>", "how long to wait for a server that goes away", wholeNumber, 600)
    .addHelpText(
      "after",
      "\nExample:\n  rgnn run study.yaml --store postgres://me@host/rgnn --add\n  rgnn worker --store postgres://me@host/rgnn",
    )
    .action(run);
}

async function run(flags: WorkerFlags): Promise<void> {
  const { store: place, threads, dataDir, artefacts = artefactsBeside(place) } = flags;
  const devices = flags.devices.split(",");
  const unknown = devices.find((device) => !(DEVICES as readonly string[]).includes(device));
  check(unknown === undefined, () => `unknown device "${unknown}"; known are ${DEVICES.join(", ")}`);
  checkDevice({ device: "cpu", threads }); // here, so that a mistake does not fail run after run
  const patience = { milliseconds: 1000 * flags.patience, tell: (line: string) => console.error(line) };
  const store = await openRunStore(place, patience);
  const facts = runFacts();
  const measurer = new RunMeasurer({ artefacts, facts, threads, ...given({ dataDir }) });
  try {
    await interruptible((signal) => workUntilIdle(store, measurer, { ...flags, devices }, signal));
  } finally {
    await measurer.close();
    await store.close();
  }
}

const POLL_MS = 2000;

/** Works until nothing was waiting for `wait` seconds: runs that other workers failed or lost may wait again. */
async function workUntilIdle(
  store: RunStore,
  measurer: RunMeasurer,
  { store: place, study, devices, wait }: Omit<WorkerFlags, "devices"> & { readonly devices: readonly string[] },
  signal: AbortSignal,
): Promise<void> {
  const owner = newOwner();
  console.error(`${owner} works on ${store.name}`);
  let lastWork = performance.now();
  const tell = (event: WorkEvent) => {
    lastWork = performance.now();
    if (event.kind === "finished") console.error(`${event.run}: ${event.value.toFixed(4)}`);
    if (event.kind === "failed") console.error(`${event.run} failed: ${event.error}`);
  };
  const code = measuringCode();
  const measure = (run: RunDescription, watch: Watch) => measurer.measure(run, watch);
  for (;;) {
    await releaseDead(store);
    await workThrough(store, { owner, place, code, measure, devices, signal, tell, ...given({ study }) });
    const idleFor = performance.now() - lastWork;
    if (signal.aborted || idleFor >= 1000 * wait) return;
    await setTimeout(Math.min(POLL_MS, 1000 * wait - idleFor), undefined, { signal }).catch(() => {}); // Ctrl-C ends the pause
  }
}
