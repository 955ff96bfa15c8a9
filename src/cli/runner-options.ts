import type { Command } from "commander";
import { check } from "../core/errors.ts";
import type { MeasurePlace } from "./measure-plan.ts";
import { wholeNumber } from "./number-options.ts";
import { DEFAULT_STORE } from "./store-place.ts";

/** The flags that say where a study is measured. */
export interface RunnerFlags {
  readonly store: string;
  readonly artefacts?: string;
  readonly workers?: number;
  readonly dataDir?: string;
}

/** Adds the options of {@link RunnerFlags}. */
export function runnerOptions(command: Command): Command {
  return command
    .option("--store <place>", "a file, or postgres://user:password@host/database", DEFAULT_STORE)
    .option("--artefacts <folder>", "trained models and flips (default: artefacts beside the store)")
    .option(
      "--workers <n>",
      "processes (default: one per core on small graphs, one on large graphs or a GPU)",
      wholeNumber,
    )
    .option("--data-dir <folder>", "look here before $RGNN_DATA and the cache folder");
}

/** The place that flags name. */
export function placeOf({ store: place, artefacts, workers, dataDir }: RunnerFlags): MeasurePlace {
  check(workers === undefined || workers > 0, () => `--workers must be 1 or more, got ${workers}`);
  return { place, artefacts, workers, dataDir };
}
