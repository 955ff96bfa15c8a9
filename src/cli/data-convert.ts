import type { Command } from "commander";
import { check } from "../core/errors.ts";
import { WRITABLE } from "../data/writers/format-graph.ts";
import { convertGraph } from "../files/convert-graph.ts";
import type { LoadOptions } from "../files/load.ts";
import { convertToStore } from "../files/store/convert-to-store.ts";
import type { FeatureType } from "../files/store/feature-encoding.ts";
import { featuresOption, MEMORY } from "./data-make.ts";
import { interruptible } from "./interrupt.ts";
import { allowOnly } from "./options.ts";
import { ProgressBar } from "./progress-bar.ts";

interface ConvertFlags {
  directed?: boolean;
  undirected?: boolean;
  ignoreWeights?: boolean;
  dataDir?: string;
  features?: FeatureType;
  memory?: number;
  json?: boolean;
}

/** The options that formats other than a graph store use. */
const WITHOUT_STORE = ["directed", "undirected", "ignoreWeights", "dataDir", "json"];

/** `rgnn data convert <from> <to>` */
export function addConvertCommand(data: Command): void {
  data
    .command("convert")
    .description("Write a graph, with all of its nodes, in another format")
    .argument("<from>", "name of a known graph, or a path to a file or folder")
    .argument("<to>", `what to write, by its ending: .store (a graph store, larger than memory), ${WRITABLE}`)
    .option("--directed", "keep the directions of the edges")
    .option("--undirected", "let every edge count both ways, also where the graph is used with directions")
    .option("--ignore-weights", "take every edge as one of weight 1, whatever the input says")
    .addOption(featuresOption())
    .option(...MEMORY)
    .option("--data-dir <folder>", "look here before $RGNN_DATA and the cache folder")
    .option("--json", "print one JSON object instead of a table")
    .addHelpText(
      "after",
      "\nExamples:\n  rgnn data convert network.graphml network.npz\n  rgnn data convert ogbn-papers100M papers.store --features f16",
    )
    .action(convert);
}

async function convert(from: string, to: string, flags: ConvertFlags, command: Command): Promise<void> {
  const { directed, undirected, json, ...options } = flags;
  check(!(directed && undirected), () => "a graph is either --directed or --undirected; leave one out");
  const choice: LoadOptions = directed || undirected ? { directed: directed ?? false } : {};
  const path = to.replace(/[/\\]$/, "");
  if (path.endsWith(".store")) {
    await convertStore(from, path, { ...options, ...choice }, json);
    return;
  }
  allowOnly(command, `${to}: this format`, WITHOUT_STORE);
  const { files, notes, graph } = await convertGraph(from, to, { ...options, ...choice });
  for (const note of notes) console.error(note);
  if (json) print({ name: graph.name, numNodes: graph.numNodes, numEdges: graph.numEntries, files });
  else console.log(`${graph.name} is at ${files.join(", ")}`);
}

async function convertStore(
  from: string,
  to: string,
  options: LoadOptions & Pick<ConvertFlags, "features" | "memory">,
  json: boolean | undefined,
): Promise<void> {
  const bar = new ProgressBar();
  const work = (signal: AbortSignal) => convertToStore(from, to, { ...options, signal, progress: bar });
  const { header, notes } = await interruptible(work).finally(() => bar.finish());
  for (const note of notes) console.error(note);
  if (json) print({ name: header.name, numNodes: header.numNodes, numEdges: header.numEntries, files: [to] });
  else console.log(`${header.name} is at ${to}`);
}

function print(value: unknown): void {
  console.log(JSON.stringify(value));
}
