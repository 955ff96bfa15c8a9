import type { Command } from "commander";
import { parseCsvLine } from "../data/formats/csv-line.ts";
import { formatNeighbourhood, neighbourhoodIn } from "../files/neighbourhood-file.ts";
import { checkWritable, writeAtomically } from "../files/write-atomically.ts";
import { wholeNumber } from "./number-options.ts";

interface NeighbourhoodFlags {
  nodes: string;
  hops: number;
  most: number;
  out?: string;
  directed?: boolean;
  ignoreWeights?: boolean;
  dataDir?: string;
}

/** `rgnn data neighbourhood <dataset> --nodes 5,77` */
export function addNeighbourhoodCommand(data: Command): void {
  data
    .command("neighbourhood")
    .description("Cut out the nodes around some nodes and the edges between them, for pictures")
    .argument("<dataset>", "a graph store, name of a known graph, or a path to a file or folder")
    .requiredOption("--nodes <ids>", "ids of nodes, such as 5,77")
    .option("--hops <n>", "steps from these nodes", wholeNumber, 2)
    .option("--most <n>", "nodes to show at most", wholeNumber, 200)
    .option("--out <file>", "write .json (node-link) or .graphml instead of printing JSON")
    .option("--directed", "keep the directions of the edges")
    .option("--ignore-weights", "take every edge as one of weight 1, whatever the input says")
    .option("--data-dir <folder>", "look here before $RGNN_DATA and the cache folder")
    .action(neighbourhood);
}

async function neighbourhood(dataset: string, { nodes, out, ...options }: NeighbourhoodFlags): Promise<void> {
  if (out !== undefined) await checkWritable(out);
  const found = await neighbourhoodIn(dataset, { ...options, nodes: parseCsvLine(nodes) ?? [nodes] });
  const text = formatNeighbourhood(found, out);
  if (!found.complete) console.error(`only ${options.most} nodes are shown; --most shows more`);
  if (out === undefined) console.log(text.trimEnd());
  else {
    await writeAtomically(out, text);
    console.log(`${found.nodes.length} nodes and ${found.edges.length} edges are at ${out}`);
  }
}
