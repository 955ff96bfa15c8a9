import { Command } from "commander";
import { check } from "../core/errors.ts";
import { type EvaluateReport, nodeRows, runEvaluate } from "../experiment/run-evaluate.ts";
import { sampleNodes } from "../experiment/sample-split.ts";
import { nameModel, type RunWatch } from "../experiment/trained-model.ts";
import { readFlips } from "../files/flips-file.ts";
import { checkNodesFile, writeNodes } from "../files/nodes-file.ts";
import { checkWritable } from "../files/write-atomically.ts";
import { checkCollectionFlags, evaluateCollection } from "./evaluate-collection.ts";
import { interruptible } from "./interrupt.ts";
import { modelList } from "./model-list.ts";
import { nodeList } from "./node-list.ts";
import { wholeNumber } from "./number-options.ts";
import { GROUPS, oneSeed, openAnnounced, openAnnouncedFor } from "./options.ts";
import { ProgressBar } from "./progress-bar.ts";
import { formatFacts } from "./table.ts";
import { type TrainedModelFlags, trainedChoice, trainedModelOptions } from "./trained-model-options.ts";
import { warn } from "./warn.ts";

interface EvaluateFlags extends TrainedModelFlags {
  readonly nodes: string;
  readonly flips?: string;
  readonly collection?: string;
  readonly most?: number;
  readonly out?: string;
}

/** `rgnn evaluate` */
export function evaluateCommand(): Command {
  const command = new Command("evaluate").description("Evaluate a model on a graph, or on the graph after saved flips");
  command
    .optionsGroup(GROUPS.evaluation)
    .option("--flips <file>", "evaluate after these flips too, which rgnn attack --out flips.csv wrote")
    .option(
      "--collection <place>",
      "evaluate after all flips of this collection: a .json file, a folder, or one that comes with the package, such as cora_ml",
    )
    .option("--nodes <nodes>", "nodes to evaluate on: test, train, val, all, or a list such as 0,5,9", "test")
    .option("--most <n>", "evaluate on so many of these nodes, drawn with the seed (default: all)", wholeNumber);
  return trainedModelOptions(command, "evaluate")
    .option("--out <file>", "write prediction, confidence and margin of each node here (.csv, .json or .parquet)")
    .addHelpText(
      "after",
      "\nExample:\n  rgnn evaluate --dataset cora_ml --weights gcn.safetensors --flips flips.csv --out nodes.csv\n  rgnn evaluate --dataset cora_ml --model soft-median-gdc --collection cora_ml",
    )
    .action(run);
}

async function run(flags: EvaluateFlags, command: Command): Promise<void> {
  const list = modelList(flags, command);
  if (list !== null) return console.log(list);
  const { json, out, flips, collection, most = Number.POSITIVE_INFINITY } = flags;
  const seed = oneSeed("evaluate", flags);
  checkCollectionFlags(flags);
  check(most >= 1, () => `--most must be 1 or more, got ${most}`);
  if (out) checkNodesFile(out);
  if (out) await checkWritable(out);
  const { model } = nameModel({ ...trainedChoice(flags), seed });
  const whole = flips !== undefined || collection !== undefined ? await openAnnounced(flags) : null;
  const session = whole ?? (await openAnnouncedFor(flags, model));
  const bar = new ProgressBar();
  try {
    const choice = {
      ...trainedChoice(flags),
      seed,
      nodes: sampleNodes(nodeList(session, seed, flags.nodes, ["test", "train", "val", "all"]), most, seed),
      ...(whole && flips !== undefined && { flips: readFlips(flips, whole.graph, whole.ids) }),
    };
    const watched = <T>(work: (watch: RunWatch) => Promise<T>) =>
      interruptible((signal) => work({ progress: bar, signal, warn }).finally(() => bar.finish()));
    if (whole && collection !== undefined) {
      return console.log(await watched((watch) => evaluateCollection(whole, choice, { ...flags, collection }, watch)));
    }
    const { report, predictions } = await watched((watch) => runEvaluate(session, choice, watch));
    if (out) await writeNodes(out, nodeRows(session, predictions));
    console.log(json ? JSON.stringify(report) : describe(report, out));
  } finally {
    await session.close();
  }
}

function describe({ accuracy, numFlips, ...report }: EvaluateReport, out: string | undefined): string {
  const { clean, adversarial } = accuracy;
  const after = adversarial === undefined ? "" : ` before, ${adversarial.toFixed(4)} after ${numFlips} flips`;
  return formatFacts({
    model: `${report.model} on ${report.dataset}, seed ${report.seed}, ${report.device}`,
    accuracy: `${clean.toFixed(4)}${after} (${report.numNodes} nodes)`,
    ...(out && { written: out }),
  });
}
