import { Command } from "commander";
import { check } from "../core/errors.ts";
import { type CatalogueEntry, catalogue } from "../data/catalogue/catalogue.ts";
import { formatCount } from "../experiment/readable-numbers.ts";
import { left, right } from "../experiment/table-column.ts";
import { cacheFolder, dataFolders, findDataset } from "../files/datasets/data-folders.ts";
import { getDataset } from "../files/datasets/get-dataset.ts";
import { loadGraph } from "../files/load.ts";
import { isStore } from "../files/store/read-store-header.ts";
import { addCheckCommand } from "./data-check.ts";
import { addConvertCommand } from "./data-convert.ts";
import { addMakeCommand } from "./data-make.ts";
import { addNeighbourhoodCommand } from "./data-neighbourhood.ts";
import { describeGraph } from "./describe-graph.ts";
import { ProgressBar } from "./progress-bar.ts";
import { describeStore, formatStoreInfo } from "./store-info.ts";
import { formatFacts, formatTable } from "./table.ts";

interface DataOptions {
  json?: boolean;
  dataDir?: string;
  directed?: boolean;
  allComponents?: boolean;
  ignoreWeights?: boolean;
  adjacency?: string;
}

const LOOK_IN = ["--data-dir <folder>", "look here before $RGNN_DATA and the cache folder"] as const;
const IGNORE_WEIGHTS = ["--ignore-weights", "take every edge as one of weight 1, whatever the input says"] as const;
const AS_JSON = ["--json", "print one JSON object instead of a table"] as const;

/** `rgnn data list | info | convert | make | check | neighbourhood | get` */
export function dataCommand(): Command {
  const data = new Command("data").description("List, inspect, convert, make and download graphs").exitOverride();
  data
    .command("list")
    .description("List the known graphs and which of them are on this machine")
    .option(...LOOK_IN)
    .option(...AS_JSON)
    .action(list);
  data
    .command("info")
    .description("Load a graph and show what it holds")
    .argument("<dataset>", "name of a known graph, or a path to a file or folder")
    .option("--directed", "keep the directions of the edges")
    .option("--all-components", "keep all nodes, not only the largest component")
    .option(...IGNORE_WEIGHTS)
    .option("--adjacency <path>", "take the edges from this file or folder, everything else from the dataset")
    .option(...LOOK_IN)
    .option(...AS_JSON)
    .action(info);
  addConvertCommand(data);
  addMakeCommand(data);
  addCheckCommand(data);
  addNeighbourhoodCommand(data);
  data
    .command("get")
    .description("Download a known graph from its public address")
    .argument("<dataset>", "name of a known graph")
    .option("--data-dir <folder>", "download to here instead of the cache folder")
    .option(...AS_JSON)
    .action(get);
  return data;
}

function list({ json, dataDir }: DataOptions): void {
  const folders = dataFolders(dataDir);
  const found = Object.values(catalogue).map((entry) => ({ entry, path: findDataset(entry, folders) ?? null }));
  if (json) print({ datasets: found.map(({ entry, path }) => ({ ...summary(entry), path })) });
  else printList(found);
}

function printList(found: readonly { entry: CatalogueEntry; path: string | null }[]): void {
  const columns = [
    left("name"),
    right("nodes"),
    right("edges"),
    right("features"),
    right("classes"),
    left("split"),
    left("here"),
    left("about"),
  ];
  const rows = found.map(({ entry, path }) => {
    const { numNodes, numEntries, numFeatures, numClasses } = entry.undirected;
    const here = entry.files.length === 0 ? "built in" : path ? "yes" : "no";
    const counts = [numNodes, numEntries, numFeatures, numClasses].map((count) =>
      count === undefined ? "?" : formatCount(count),
    );
    return [entry.name, ...counts, entry.split, here, entry.about];
  });
  console.log(formatTable(columns, rows));
  console.log("\nEdges count stored entries: an undirected edge counts twice. Get one with: rgnn data get <name>");
}

function summary({ name, about, split, undirected, directed = false }: CatalogueEntry) {
  const { numNodes, numEntries, numFeatures, numClasses } = undirected;
  return {
    name,
    about,
    numNodes,
    numEdges: directed ? null : (numEntries ?? null),
    numFeatures,
    numClasses,
    directed,
    split,
  };
}

async function info(dataset: string, { json, ...options }: DataOptions): Promise<void> {
  if (isStore(dataset)) {
    storeInfo(dataset, json, options);
    return;
  }
  const loaded = await loadGraph(dataset, options);
  const description = describeGraph(loaded);
  for (const note of loaded.notes) console.error(note);
  if (json) print(description);
  else printInfo(description);
}

function storeInfo(folder: string, json: boolean | undefined, options: Omit<DataOptions, "json">): void {
  const [unused] = Object.keys(options);
  check(unused === undefined, () => `${folder}: a graph store is shown as it is; leave out ${flagOf(unused)}`);
  const description = describeStore(folder);
  if (json) print(description);
  else console.log(formatStoreInfo(description));
}

function printInfo(description: ReturnType<typeof describeGraph>): void {
  const { classes, classSizes, splits, degrees, homophily, ...counts } = description;
  console.log(
    formatFacts({
      name: counts.name,
      nodes: formatCount(counts.numNodes),
      edges: `${formatCount(counts.numEdges)} stored entries, ${counts.directed ? "directed" : "undirected"}`,
      features: `${formatCount(counts.numFeatures)}, ${formatCount(counts.numFeatureEntries)} stored`,
      classes: `${counts.numClasses} of sizes ${classSizes.join(" ")}${named(classes)}`,
      degrees: `${degrees.min} to ${degrees.max}, mean ${degrees.mean.toFixed(2)}`,
      homophily: homophily === null ? "unknown" : `${homophily.toFixed(4)} of the edges join equal labels`,
      splits:
        Object.entries(splits)
          .map(([name, { train, val, test }]) => `${name} ${train}/${val}/${test}`)
          .join(", ") || "random by seed",
    }),
  );
}

/** The names of the classes, unless these are just their numbers. */
function named(classes: readonly string[]): string {
  return classes.every((name, label) => name === String(label)) ? "" : `, called ${classes.join(", ")}`;
}

async function get(dataset: string, { json, dataDir }: DataOptions): Promise<void> {
  const bar = new ProgressBar();
  const folder = dataDir ?? cacheFolder();
  const path = await getDataset(dataset, folder, bar).finally(() => bar.finish());
  check(path !== undefined || dataDir === undefined, () => `dataset "${dataset}" is built in; leave out --data-dir`);
  if (json) print({ name: dataset, path: path ?? null });
  else console.log(path ? `${dataset} is at ${path}` : `${dataset} is built in; there is nothing to get`);
}

/** `allComponents` as --all-components. */
function flagOf(option: string): string {
  return `--${option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function print(value: unknown): void {
  console.log(JSON.stringify(value));
}
