import { check, DataError } from "../../core/errors.ts";
import type { ByteSource } from "../../data/formats/byte-source.ts";
import { type CsvOptions, type NumberTable, numberTables } from "../../data/formats/csv-numbers.ts";
import { labelColumn } from "../../data/readers/edge-list.ts";
import { type FileSet, readNumbersOf } from "../../data/readers/file-set.ts";
import { lastPart } from "../../data/readers/file-stem.ts";
import { checkCount, readSplit } from "../../data/readers/ogb.ts";
import { checkNodes } from "./check-nodes.ts";
import type { GraphStream } from "./graph-stream.ts";

const NUMBERS = 2 ** 17;

/** The text layout of the Open Graph Benchmark: `raw/edge.csv.gz`, `raw/node-feat.csv.gz`, `raw/node-label.csv.gz`. */
export async function ogbCsvStream(files: FileSet): Promise<GraphStream> {
  const pathOf = (name: string) => `raw/${name}.csv.gz`;
  const where = (name: string) => files.where(pathOf(name));
  const numNodes = await countIn(files, pathOf("num-node-list"));
  const hasCount = files.has(pathOf("num-edge-list"));
  const numEdges = hasCount ? await countIn(files, pathOf("num-edge-list")) : estimate(files, pathOf("edge"));
  const numFeatures = await widthOf(files, pathOf("node-feat"));
  return {
    name: lastPart(files.name),
    where: files.name,
    numNodes,
    numFeatures,
    numEdges,
    async *features(begin) {
      const counter = new Counter(begin);
      const rows = Math.ceil(NUMBERS / numFeatures);
      for await (const table of tablesOf(files, pathOf("node-feat"), rows, { single: true })) {
        const wanted = counter.from(table);
        if (wanted.length > 0) yield wanted as Float32Array;
      }
      const { rows: count } = counter;
      check(
        count === numNodes,
        () => `${where("node-feat")}: ${count} rows of features for ${numNodes} nodes`,
        DataError,
      );
    },
    async *edges(begin) {
      const counter = new Counter(begin);
      for await (const table of tablesOf(files, pathOf("edge"), NUMBERS / 2, { numCols: 2 })) {
        const pairs = counter.from(table);
        if (pairs.length === 0) continue;
        const first = counter.rows - pairs.length / 2;
        const chunk = { sources: nodesOf(pairs, 0), targets: nodesOf(pairs, 1) };
        for (const nodes of Object.values(chunk)) checkNodes(nodes, numNodes, first, where("edge"));
        yield chunk;
      }
      if (hasCount) checkCount({ data: Float64Array.of(numEdges) }, where("num-edge-list"), counter.rows, "edges");
    },
    async *labels() {
      let count = 0;
      for await (const table of tablesOf(files, pathOf("node-label"), NUMBERS)) {
        const labels = labelColumn(table, where("node-label"));
        count += labels.length;
        yield labels;
      }
      checkCount({ data: Float64Array.of(numNodes) }, where("num-node-list"), count, "labels");
    },
    split: () => readSplit(files, numNodes),
    close: () => {},
  };
}

/** Counts rows and leaves out those before row `first`. */
class Counter {
  rows = 0;
  private readonly first: number;

  constructor(first: number) {
    this.first = first;
  }

  /** The numbers of a table from the first wanted row on. */
  from({ data, numRows, numCols }: NumberTable): Float64Array | Float32Array {
    const skipped = Math.min(numRows, Math.max(0, this.first - this.rows));
    this.rows += numRows;
    return data.subarray(skipped * numCols);
  }
}

async function* tablesOf(
  files: FileSet,
  path: string,
  rows: number,
  options: CsvOptions = {},
): AsyncGenerator<NumberTable> {
  const source: ByteSource = files.open(path);
  try {
    yield* numberTables(source, rows, options);
  } finally {
    source.close();
  }
}

/** One column of a table of two columns. Anything but a whole number of 32 bits becomes −1, which is no node. */
function nodesOf(pairs: Float64Array | Float32Array, column: number): Int32Array {
  const nodes = new Int32Array(pairs.length / 2);
  for (let k = 0; k < nodes.length; k++) {
    const value = pairs[2 * k + column];
    nodes[k] = value === (value | 0) ? value : -1;
  }
  return nodes;
}

async function countIn(files: FileSet, path: string): Promise<number> {
  const { data } = await readNumbersOf(files, path);
  check(
    data.length === 1 && Number.isSafeInteger(data[0]) && data[0] > 0,
    () => `${files.where(path)}: must hold one count, got ${[...data.subarray(0, 3)].join(", ") || "nothing"}`,
    DataError,
  );
  return data[0];
}

async function widthOf(files: FileSet, path: string): Promise<number> {
  for await (const { numCols } of tablesOf(files, path, 1, { single: true })) return numCols;
  throw new DataError(`${files.where(path)}: must have a row of features for each node, got none`);
}

/** An upper estimate of the number of edges of a file without a count: a line takes at least four compressed bytes. */
function estimate(files: FileSet, path: string): number {
  const source = files.open(path);
  source.close();
  return Math.ceil(source.size / 4);
}
