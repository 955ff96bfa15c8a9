import { Command } from "commander";
import { nodeRows, runPredict } from "../experiment/run-evaluate.ts";
import { left, right } from "../experiment/table-column.ts";
import { nameModel } from "../experiment/trained-model.ts";
import { checkNodesFile, type NodeRow, writeNodes } from "../files/nodes-file.ts";
import { checkWritable } from "../files/write-atomically.ts";
import { interruptible } from "./interrupt.ts";
import { modelList } from "./model-list.ts";
import { nodeList } from "./node-list.ts";
import { GROUPS, oneSeed, openAnnouncedFor } from "./options.ts";
import { ProgressBar } from "./progress-bar.ts";
import { formatTable } from "./table.ts";
import { type TrainedModelFlags, trainedChoice, trainedModelOptions } from "./trained-model-options.ts";
import { warn } from "./warn.ts";

interface PredictFlags extends TrainedModelFlags {
  readonly nodes: string;
  readonly out?: string;
}

/** `rgnn predict` */
export function predictCommand(): Command {
  const command = new Command("predict").description("Classify nodes, labelled or not");
  command
    .optionsGroup(GROUPS.evaluation)
    .option("--nodes <nodes>", "nodes to classify: all, test, train, val, or a list such as 0,5,9", "all");
  return trainedModelOptions(command, "use")
    .option("--out <file>", "write the predictions here instead (.csv, .json or .parquet)")
    .addHelpText("after", "\nExample:\n  rgnn predict --dataset cora_ml --weights gcn.safetensors --nodes 17,42")
    .action(run);
}

async function run(flags: PredictFlags, command: Command): Promise<void> {
  const list = modelList(flags, command);
  if (list !== null) return console.log(list);
  const { json, out } = flags;
  const seed = oneSeed("predict", flags);
  if (out) checkNodesFile(out);
  if (out) await checkWritable(out);
  const { model: named } = nameModel({ ...trainedChoice(flags), seed });
  const session = await openAnnouncedFor(flags, named);
  const bar = new ProgressBar();
  try {
    const nodes = nodeList(session, seed, flags.nodes, ["all", "test", "train", "val"]);
    const { model, predictions } = await interruptible((signal) =>
      runPredict(session, { ...trainedChoice(flags), seed, nodes }, { progress: bar, signal, warn }).finally(() =>
        bar.finish(),
      ),
    );
    const rows = nodeRows(session, predictions);
    if (out) await writeNodes(out, rows);
    const { dataset, device } = session;
    if (json) console.log(JSON.stringify({ dataset, model, seed, device, ...(out ? { out } : { nodes: rows }) }));
    else console.log(out ? `${rows.length} predictions of ${model} are in ${out}` : describe(rows));
  } finally {
    await session.close();
  }
}

function describe(rows: readonly NodeRow[]): string {
  const columns = [left("node"), right("prediction"), right("confidence"), right("label"), right("margin")];
  return formatTable(
    columns,
    rows.map(({ node, prediction, confidence, label, margin }) => [
      String(node),
      String(prediction),
      confidence.toFixed(4),
      String(label ?? ""),
      margin?.toFixed(4) ?? "",
    ]),
  );
}
