import { check, DataError } from "../../core/errors.ts";
import { decodeFloat16 } from "../../core/float16.ts";
import type { Progress } from "../../core/progress.ts";
import { checkSplit } from "../../data/raw-graph.ts";
import { renumberLabels } from "../../data/renumber-labels.ts";
import type { GraphStream } from "../streams/graph-stream.ts";
import { appendFeatures, checkFeatures, checkHalves, encodeFeatures, type FeatureType } from "./feature-encoding.ts";
import { type Entries, sortEntries } from "./sort-entries.ts";
import type { StoreHeader } from "./store-header.ts";
import { appendSplit } from "./store-parts.ts";
import type { StoreWriter } from "./store-writer.ts";

/** Options of {@link streamToStore}. */
export interface StreamOptions {
  readonly features: FeatureType;
  /** True keeps the directions of the edges; false makes the graph undirected. */
  readonly directed: boolean;
  readonly memory: number;
  readonly progress: Progress;
}

/** Writes a streamed graph into the parts of a store. Returns the content of its header besides the parts. */
export async function streamToStore(
  writer: StoreWriter,
  stream: GraphStream,
  options: StreamOptions,
): Promise<Omit<StoreHeader, "parts">> {
  const { numNodes, numFeatures } = stream;
  const { directed } = options;
  const { step = "features" } = writer.position;
  if (step === "features") await writeFeatures(writer, stream, options);
  const source = {
    numRows: numNodes,
    numEntries: directed ? stream.numEdges : 2 * stream.numEdges,
    total: stream.numEdges,
    entries: (begin: number) => entriesOf(stream, begin, directed),
  };
  const numEntries = await sortEntries(writer, source, options);
  const classes = await writeLabels(writer, stream);
  const split = await stream.split();
  if (split) {
    checkSplit(split, numNodes, `${stream.where}: split public`);
    appendSplit(writer, "public", split);
  }
  const counts = { name: stream.name, numNodes, numEntries, numFeatures, numClasses: classes.length, directed };
  return { ...counts, splits: split ? ["public"] : [], classes };
}

async function writeFeatures(writer: StoreWriter, stream: GraphStream, options: StreamOptions): Promise<void> {
  const { numNodes, numFeatures, where } = stream;
  const { features: type, progress } = options;
  const begun = Number(writer.position.row ?? 0);
  let row = begun;
  for await (const rows of stream.features(begun)) {
    const place = { numFeatures, type, firstNode: row, where };
    if (rows instanceof Uint16Array && type === "f16") {
      checkHalves(rows, place);
      appendFeatures(writer, { features: rows }, type);
    } else {
      const floats = rows instanceof Uint16Array ? decodeFloat16(rows) : rows;
      checkFeatures(floats, place);
      appendFeatures(writer, encodeFeatures(floats, numFeatures, type), type);
    }
    row += rows.length / numFeatures;
    await writer.reached({ step: "features", row });
    progress.update(row - begun, numNodes - begun, "reading features");
  }
}

async function* entriesOf(stream: GraphStream, begin: number, directed: boolean): AsyncGenerator<Entries> {
  let next = begin;
  for await (const { sources, targets } of stream.edges(begin)) {
    next += sources.length;
    if (directed) yield { next, rows: sources, columns: targets };
    else yield { next, rows: joined(sources, targets), columns: joined(targets, sources) };
  }
}

function joined(first: Int32Array, second: Int32Array): Int32Array {
  const both = new Int32Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** Writes labels, renumbered without gaps, and returns the names of classes. Short; starts over after a kill. */
async function writeLabels(writer: StoreWriter, stream: GraphStream): Promise<readonly string[]> {
  const used = new Set<number>();
  for await (const labels of stream.labels()) for (const label of labels) used.add(label);
  const lowest = Math.min(...used);
  check(lowest >= -1, () => `${stream.where}: label ${lowest} must be 0 or more, or -1 for none`, DataError);
  const { classes } = renumberLabels(Int32Array.from(used));
  const numbers = new Map(classes.map((name, label) => [Number(name), label]));
  const part = writer.part("labels", "i32");
  for await (const labels of stream.labels()) part.append(labels.map((label) => numbers.get(label) ?? -1));
  return classes;
}
