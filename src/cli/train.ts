import { Command } from "commander";
import { modelKinds } from "../experiment/models.ts";
import { runTrain, type TrainReport } from "../experiment/run-train.ts";
import { saveWeights } from "../files/weights-files.ts";
import { checkWritable } from "../files/write-atomically.ts";
import { interruptible } from "./interrupt.ts";
import { modelList } from "./model-list.ts";
import { type Assignments, openAnnounced, type SessionFlags, sessionOptions, setOption } from "./options.ts";
import { ProgressBar } from "./progress-bar.ts";
import { formatBytes, formatFacts } from "./table.ts";

interface TrainFlags extends SessionFlags {
  readonly model: string;
  readonly out?: string;
  readonly set: Assignments;
}

/** `rgnn train` */
export function trainCommand(): Command {
  const command = new Command("train").description("Train a model and report its accuracy");
  setOption(sessionOptions(command))
    .option("--model <name>", `one of ${Object.keys(modelKinds).join(", ")}; or list, to explain them`, "gcn")
    .option("--out <file>", "save the weights here, as safetensors")
    .addHelpText("after", "\nExample:\n  rgnn train --dataset cora_ml --model gcn --seed 1 --out gcn.safetensors")
    .action(run);
  return command;
}

async function run(flags: TrainFlags, command: Command): Promise<void> {
  const list = modelList(flags, command);
  if (list !== null) return console.log(list);
  const { model, seed, out, json } = flags;
  const set = flags.set as Readonly<Record<string, string>>;
  if (out) await checkWritable(out);
  const session = await openAnnounced(flags);
  const bar = new ProgressBar();
  try {
    const { report, built } = await interruptible((signal) =>
      runTrain(session, { model, seed, set }, { progress: bar, signal }).finally(() => bar.finish()),
    );
    const sizes = { features: session.graph.numFeatures, classes: session.graph.numClasses };
    if (out) await saveWeights(built.model, out, { sizes, kind: model, dataset: report.dataset, seed });
    console.log(json ? JSON.stringify(report) : describe(report, out));
    built.model.dispose();
  } finally {
    await session.close();
  }
}

function describe(report: TrainReport, out: string | undefined): string {
  const { accuracy, epochs, bestEpoch, seconds } = report;
  return formatFacts({
    model: `${report.model} on ${report.dataset}, seed ${report.seed}, ${report.device}, preset ${report.preset}`,
    accuracy: `test ${accuracy.test.toFixed(4)}, validation ${accuracy.val.toFixed(4)}, train ${accuracy.train.toFixed(4)}`,
    epochs: `${epochs} in ${seconds.toFixed(1)} s, best ${bestEpoch}${report.interrupted ? ", interrupted: best weights so far" : ""}`,
    memory: formatBytes(report.peakBytes),
    ...(out && { weights: out }),
  });
}
