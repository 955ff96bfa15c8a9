import { statSync } from "node:fs";
import { join } from "node:path";
import { formatBytes, formatCount } from "../experiment/readable-numbers.ts";
import { checkSizes } from "../files/store/check-store.ts";
import { readStoreHeader } from "../files/store/read-store-header.ts";
import { BYTES_OF, type StoreHeader } from "../files/store/store-header.ts";
import { formatFacts } from "./table.ts";

/** What the header of a graph store says. The sizes of its files are checked; nothing else is read. */
export function describeStore(folder: string) {
  const header = readStoreHeader(folder);
  checkSizes(folder, header);
  const { name, numNodes, numEntries, numFeatures, numClasses, directed, classes, parts } = header;
  const bytes = Object.values(parts).reduce((sum, { file }) => sum + statSync(join(folder, file)).size, 0);
  return {
    name,
    numNodes,
    numEdges: numEntries, // stored entries, as in the paper's table
    numFeatures,
    numClasses,
    directed,
    classes: classes ?? null,
    degrees: { mean: numEntries / numNodes },
    features: parts.features.type,
    bytes,
    splits: splitsOf(header),
  };
}

function splitsOf({ splits, parts }: StoreHeader): Record<string, Record<"train" | "val" | "test", number>> {
  const sizes = splits.map((split) => {
    const size = (set: string) => parts[`${split}.${set}`].length;
    return [split, { train: size("train"), val: size("val"), test: size("test") }] as const;
  });
  return Object.fromEntries(sizes);
}

export function formatStoreInfo(description: ReturnType<typeof describeStore>): string {
  const { name, numNodes, numEdges, numFeatures, numClasses, directed, features, bytes, splits } = description;
  return formatFacts({
    name,
    nodes: formatCount(numNodes),
    edges: `${formatCount(numEdges)} stored entries, ${directed ? "directed" : "undirected"}`,
    features: `${formatCount(numFeatures)} as ${features}, ${formatBytes(BYTES_OF[features] * numFeatures * numNodes)}`,
    classes: formatCount(numClasses),
    degrees: `mean ${description.degrees.mean.toFixed(2)}`,
    splits:
      Object.entries(splits)
        .map(([split, { train, val, test }]) => `${split} ${train}/${val}/${test}`)
        .join(", ") || "random by seed",
    store: formatBytes(bytes),
  });
}
