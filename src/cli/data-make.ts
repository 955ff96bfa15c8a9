import { type Command, Option } from "commander";
import { check } from "../core/errors.ts";
import { formatCount } from "../experiment/readable-numbers.ts";
import { FEATURE_TYPES, type FeatureType } from "../files/store/feature-encoding.ts";
import { makeStore } from "../files/store/make-store.ts";
import { readStoreHeader } from "../files/store/read-store-header.ts";
import { SHAPES, type Shape, scaleShape, shapeNamed } from "../graph/shapes.ts";
import { interruptible } from "./interrupt.ts";
import { memorySize } from "./memory-size.ts";
import { wholeNumber } from "./number-options.ts";
import { ProgressBar } from "./progress-bar.ts";

interface MakeOptions {
  out: string;
  nodes?: number;
  features: FeatureType;
  seed: number;
  memory?: number;
  json?: boolean;
}

/** `--features`: how a graph store keeps features. */
export function featuresOption(standard?: FeatureType): Option {
  const option = new Option("--features <type>", "numbers of features: f32, f16, or i8 with a scale per node");
  option.choices(FEATURE_TYPES);
  return standard === undefined ? option : option.default(standard);
}

/** `--memory`: how much sorting edges may take. */
export const MEMORY = ["--memory <size>", "memory that sorting edges may take (default: 4G)", memorySize] as const;

/** `rgnn data make <shape> --out <store>` */
export function addMakeCommand(data: Command): void {
  data
    .command("make")
    .description("Make up a graph with the shape of a known one, as a graph store; goes on where it was killed")
    .argument("<shape>", `one of ${Object.keys(SHAPES).join(", ")}`)
    .requiredOption("--out <store>", "folder of the graph store")
    .option(
      "--nodes <n>",
      "number of nodes, with the degrees of the shape (default: those of the known graph)",
      wholeNumber,
    )
    .addOption(featuresOption("f16"))
    .option("--seed <n>", "seed of every random choice", wholeNumber, 0)
    .option(...MEMORY)
    .option("--json", "print one JSON object instead of a line")
    .addHelpText("after", "\nExample:\n  rgnn data make papers100M --nodes 1000000 --out million.store")
    .action(make);
}

async function make(name: string, { out, nodes, json, ...options }: MakeOptions): Promise<void> {
  const shape = resized(shapeNamed(name), nodes);
  const bar = new ProgressBar();
  await interruptible((signal) => makeStore(shape, out, { ...options, signal, progress: bar })).finally(() =>
    bar.finish(),
  );
  const { numNodes, numEntries, numFeatures, numClasses } = readStoreHeader(out);
  if (json)
    console.log(
      JSON.stringify({ name: shape.name, path: out, numNodes, numEdges: numEntries, numFeatures, numClasses }),
    );
  else
    console.log(`${shape.name} with ${formatCount(numNodes)} nodes and ${formatCount(numEntries)} edges is at ${out}`);
}

/** The shape with this number of nodes. It keeps its name, because the name decides which split it has. */
function resized(shape: Shape, numNodes = shape.numNodes): Shape {
  const least = 2 * shape.numClasses;
  check(
    numNodes >= least && numNodes < 2 ** 31,
    () => `--nodes must be ${least} to ${2 ** 31 - 1} for ${shape.name}, got ${numNodes}`,
  );
  return { ...scaleShape(shape, numNodes / shape.numNodes), numNodes, name: shape.name };
}
