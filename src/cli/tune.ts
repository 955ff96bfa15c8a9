import { Command } from "commander";
import { check, PartialFailure } from "../core/errors.ts";
import { allRuns } from "../experiment/results/group-results.ts";
import { openRunStore } from "../experiment/store/open-run-store.ts";
import type { RunStore } from "../experiment/store/store.ts";
import { namedByContent, type Plan, planStudy } from "../experiment/study/plan-study.ts";
import { readStudyText } from "../experiment/study/study-file.ts";
import { left, right } from "../experiment/table-column.ts";
import { chooseModels, type TunedGrid } from "../experiment/tune/choose-models.ts";
import { drawModels } from "../experiment/tune/draw-models.ts";
import { readTunable, tuningStudy } from "../experiment/tune/model-grids.ts";
import { tunedStudy } from "../experiment/tune/tuned-study.ts";
import { checkWritable, writeAtomically } from "../files/write-atomically.ts";
import { failureLines } from "./failure-lines.ts";
import { endIfInterrupted } from "./interrupt.ts";
import { measurePlan } from "./measure-plan.ts";
import { seedList, wholeNumber } from "./number-options.ts";
import { given } from "./options.ts";
import { placeOf, type RunnerFlags, runnerOptions } from "./runner-options.ts";
import { PATIENCE } from "./store-place.ts";
import { formatMean, formatTable } from "./table.ts";

interface TuneFlags extends RunnerFlags {
  readonly out?: string;
  readonly seeds?: readonly number[];
  readonly most?: number;
  readonly json?: boolean;
}

/** `rgnn tune study.yaml` */
export function tuneCommand(): Command {
  const command = new Command("tune")
    .description(
      "Choose the hyperparameters of a study: of every model with lists of values, those that do best on validation nodes",
    )
    .argument("<study>", "a study file (see docs/guide/studies.md)");
  return runnerOptions(command)
    .option("--out <file>", "write the study here, with the chosen hyperparameters instead of the lists")
    .option("--seeds <numbers>", "choose by these, separated by commas (default: those of the study)", seedList)
    .option("--most <n>", "try at most so many models of each list, drawn at random (default: all)", wholeNumber)
    .option("--json", "print one JSON object instead of a table")
    .addHelpText("after", "\nExample:\n  rgnn tune study.yaml --out tuned.yaml && rgnn run tuned.yaml")
    .action(run);
}

async function run(file: string, flags: TuneFlags): Promise<void> {
  const { out, seeds, most = Number.POSITIVE_INFINITY, dataDir, json } = flags;
  check(most > 1, () => `--most must be 2 or more, got ${most}: there would be nothing to choose from`);
  const place = placeOf(flags);
  const text = readStudyText(file);
  const asked = readTunable(text, file);
  const tunable = { ...asked, grids: drawModels(asked.grids, most) };
  if (out !== undefined) await checkWritable(out);
  const plan = namedByContent(await planStudy(tuningStudy(tunable, seeds), given({ dataDir })));
  const store = await openRunStore(flags.store, PATIENCE);
  try {
    const { failed, waiting } = await measurePlan(store, plan, place);
    endIfInterrupted(waiting > 0);
    if (failed.length > 0) {
      console.error(failureLines(plan, failed).join("\n"));
      throw new PartialFailure(
        `${failed.length} of ${plan.runs.length} models could not be trained, so that none is chosen`,
      );
    }
    const grids = chooseModels(tunable.grids, await accuracies(store, plan));
    if (out !== undefined) await writeAtomically(out, tunedStudy(text, file, grids));
    console.log(json ? JSON.stringify({ study: tunable.study.name, grids }) : describe(grids, out));
  } finally {
    await store.close();
  }
}

/** Accuracy on validation nodes with every seed, for each part of a plan. */
async function accuracies(store: RunStore, { study, ofParts }: Plan): Promise<number[][]> {
  const rows = await allRuns(store, { study, state: ["done"] });
  const values = new Map(rows.map(({ id, value }) => [id, value!]));
  return ofParts.map((ids) => ids.map((id) => values.get(id)!));
}

/** Most models shown of each grid: nobody reads hundreds of lines. */
const MOST_SHOWN = 5;

function describe(all: readonly TunedGrid[], out: string | undefined): string {
  const grids = [
    ...new Map(all.map((grid) => [JSON.stringify([grid.dataset, grid.split, grid.models]), grid])).values(),
  ];
  const columns = [...["dataset", "model", "hyperparameters"].map(left), right("validation"), left("")];
  const rows = grids.flatMap(({ dataset, split, ranked }) =>
    ranked.slice(0, MOST_SHOWN).map(({ model, validation }, rank) => [
      `${dataset.dataset}${split === null ? "" : `, ${split}`}`,
      model.name,
      Object.entries(model.options)
        .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
        .join(", "),
      formatMean(validation.mean, validation.standardError),
      rank === 0 ? `best of ${ranked.length}` : "",
    ]),
  );
  return [
    formatTable(columns, rows),
    "",
    `Accuracy on validation nodes, mean ± standard error over the seeds; the first ${MOST_SHOWN} of each. Test nodes had no say.`,
    ...(out === undefined ? [] : [`The study with the best of each: ${out}`]),
  ].join("\n");
}
