import { Command } from "commander";
import { check } from "../core/errors.ts";
import { modelKinds } from "../defense/model-kinds.ts";
import type { NodeSession } from "../experiment/node-session.ts";
import { type Several, summariseTraining, type TrainMean, trainSeeds } from "../experiment/run-several.ts";
import type { TrainReport, TrainRun } from "../experiment/run-train.ts";
import { left, right } from "../experiment/table-column.ts";
import { trainSeedsSideBySide } from "../experiment/train-side-by-side.ts";
import { originOf } from "../experiment/trained-model.ts";
import { saveWeights } from "../files/weights-files.ts";
import { checkWritable } from "../files/write-atomically.ts";
import { endIfInterrupted, interruptible } from "./interrupt.ts";
import { modelList } from "./model-list.ts";
import { checkTemplate, fillIn } from "./name-template.ts";
import { wholeNumber } from "./number-options.ts";
import {
  type Assignments,
  GROUPS,
  given,
  openAnnouncedFor,
  type SessionFlags,
  sessionOptions,
  setOption,
} from "./options.ts";
import { ProgressBar } from "./progress-bar.ts";
import { formatFacts, formatMean, formatMemory, formatTable } from "./table.ts";
import { warn } from "./warn.ts";

interface TrainFlags extends SessionFlags {
  readonly model: string;
  readonly trainNodes?: number;
  readonly sideBySide?: true;
  readonly out?: string;
  readonly set: Assignments;
}

/** `rgnn train` */
export function trainCommand(): Command {
  const command = new Command("train").description("Train a model and report its accuracy");
  command
    .optionsGroup(GROUPS.model)
    .option("--model <name>", `one of ${Object.keys(modelKinds).join(", ")}; or list, to explain them`, "gcn")
    .option(
      "--train-nodes <n>",
      "learn from so many training nodes, drawn with the seed, and from validation nodes in proportion (default: all)",
      wholeNumber,
    )
    .option(
      "--side-by-side",
      "train a GCN with many seeds at once, which is much faster on a GPU; each model is the same up to rounding",
    );
  sessionOptions(setOption(command))
    .option(
      "--out <file>",
      "save the weights here, as safetensors; with several seeds {seed} in the name stands for each",
    )
    .addHelpText(
      "after",
      "\nExample:\n  rgnn train --dataset cora_ml --model gcn --seed 1 --out gcn.safetensors\n  rgnn train --dataset cora_ml --seed 0,1,5 --out gcn-{seed}.safetensors\n  rgnn train --dataset cora_ml --seed 0-31 --side-by-side --device webgpu --out gcn-{seed}.safetensors\n  rgnn train --dataset papers.store --model pprgo --train-nodes 10000 --out pprgo.safetensors",
    )
    .action(run);
  return command;
}

async function run(flags: TrainFlags, command: Command): Promise<void> {
  const list = modelList(flags, command);
  if (list !== null) return console.log(list);
  const { model, seed: seeds, trainNodes, sideBySide, out, json } = flags;
  const set = flags.set as Readonly<Record<string, string>>;
  check(!sideBySide || seeds.length > 1, () => "--side-by-side takes several seeds, such as --seed 0-31");
  if (out) checkTemplate("--out", out, { seed: seeds });
  for (const seed of seeds) if (out) await checkWritable(fillIn(out, { seed }));
  const session = await openAnnouncedFor(flags, model);
  const reports: TrainReport[] = [];
  const bar = new ProgressBar();
  try {
    const choices = seeds.map((seed) => ({ model, seed, set, ...given({ trainNodes }) }));
    await interruptible(async (signal) => {
      const trainAll = sideBySide ? trainSeedsSideBySide : trainSeeds;
      for await (const trained of trainAll(session, choices, { progress: bar, signal, warn })) {
        bar.finish();
        reports.push(trained.report);
        await save(session, trained, out).finally(() => trained.built.model.dispose());
      }
    }).finally(() => bar.finish());
  } finally {
    await session.close();
  }
  const several = summariseTraining(reports, seeds.length);
  if (seeds.length > 1) console.log(json ? JSON.stringify(several) : describeSeveral(several, out));
  else console.log(json ? JSON.stringify(reports[0]) : describe(reports[0], out));
  endIfInterrupted(several.interrupted);
}

async function save(session: NodeSession, { report, built }: TrainRun, out: string | undefined): Promise<void> {
  if (out === undefined) return;
  const { seed, model: kind, interrupted } = report;
  const sizes = { features: session.graph.numFeatures, classes: session.graph.numClasses };
  const facts = { sizes, kind, ...originOf(session, seed), ...(interrupted && { interrupted }) };
  await saveWeights(built.model, fillIn(out, { seed }), facts);
}

function describe(report: TrainReport, out: string | undefined): string {
  const { accuracy, epochs, bestEpoch, seconds } = report;
  return formatFacts({
    model: `${report.model} on ${report.dataset}, seed ${report.seed}, ${report.device}, preset ${report.preset}`,
    accuracy: `test ${accuracy.test.toFixed(4)}, validation ${accuracy.val.toFixed(4)}, train ${accuracy.train.toFixed(4)}`,
    epochs: `${epochs} in ${seconds.toFixed(1)} s, best ${bestEpoch}${report.interrupted ? ", interrupted: best weights so far" : ""}`,
    memory: formatMemory(report),
    ...(out && { weights: fillIn(out, { seed: report.seed }) }),
  });
}

function describeSeveral({ runs, ...all }: Several<TrainReport, TrainMean | null>, out: string | undefined): string {
  const columns = [left("seed"), right("test"), right("validation"), right("train"), right("epochs"), right("seconds")];
  const rows = runs.map(({ seed, accuracy, epochs, seconds, interrupted }) => [
    `${seed}${interrupted ? " (interrupted)" : ""}`,
    ...[accuracy.test, accuracy.val, accuracy.train].map((share) => share.toFixed(4)),
    String(epochs),
    seconds.toFixed(1),
  ]);
  const { mean, standardError } = all;
  const means =
    mean === null
      ? []
      : (["test", "val", "train"] as const).map((set) => formatMean(mean.accuracy[set], standardError!.accuracy[set]));
  const { model, dataset, device, preset, sideBySide } = runs[0];
  const together = sideBySide ? `, ${sideBySide} side by side` : "";
  return [
    `${model} on ${dataset}, ${device}, preset ${preset}${together}; mean ± standard error over the seeds`,
    formatTable(columns, [...rows, ...(mean === null ? [] : [["mean", ...means, "", ""]])]),
    ...(all.interrupted ? ["Interrupted: seeds are missing."] : []),
    ...(out ? [`weights  ${runs.map(({ seed }) => fillIn(out, { seed })).join(", ")}`] : []),
  ].join("\n");
}
