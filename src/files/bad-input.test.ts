import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parquetOf } from "../../test/support/parquet-writer.ts";
import {
  bytesOf,
  pickle,
  pickleArray,
  pickleCsr,
  pickleInt,
  pickleNeighbours,
} from "../../test/support/pickle-writer.ts";
import { type SmallGraphFiles, smallGraphs, writeSmallGraph } from "../../test/support/small-graph-files.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { DataError } from "../core/errors.ts";
import { formatNpy } from "../data/formats/npy.ts";
import { formatNpyHeader } from "../data/formats/npy-header.ts";
import { loadGraph } from "./load.ts";

/** What is wrong, the parts that are spoiled (`null`: left out), and what the error must say. */
type Case = readonly [what: string, changes: Record<string, Uint8Array | null>, message: string | RegExp];

function refuses(files: SmallGraphFiles, cases: readonly Case[]): void {
  for (const [what, changes, message] of cases) {
    test(`refuses ${what}`, async () => {
      const folder = temporaryFolder();
      const error = await loadGraph(writeSmallGraph(files, folder, changes)).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(DataError);
      const text = (error as Error).message;
      expect(text).toMatch(message);
      expect(text).toContain(folder); // names the file
      expect(text).not.toContain("\n");
    });
  }
}

const i4 = (...values: number[]) => formatNpy(Int32Array.from(values));
const i8 = (...values: number[]) => formatNpy(BigInt64Array.from(values, BigInt));
const f4 = (...values: number[]) => formatNpy(Float32Array.from(values));
const text = (content: string) => new TextEncoder().encode(content);

describe("CSR npz", () => {
  const files = smallGraphs["npz with dots"];
  const cut = (member: string) => files.parts[member].subarray(0, files.parts[member].length - 3);
  refuses(files, [
    [
      "a truncated member",
      { "labels.npy": cut("labels.npy") },
      "labels: <i8 array of shape (5) needs 40 bytes, but 37",
    ],
    [
      "a wrong magic in a member",
      { "labels.npy": text("not an array at all") },
      "labels: must begin with the .npy magic",
    ],
    [
      "an impossible header length",
      { "labels.npy": bytesOf("\x93NUMPY\x01\x00zz") },
      "labels: header of 31354 bytes is longer than the 0 bytes",
    ],
    ["a missing member", { "adj_matrix.indices.npy": null }, "has no member adj_matrix.indices.npy; it has"],
    ["no adjacency", { "adj_matrix.indptr.npy": null }, "needs a CSR matrix such as adj_matrix.indptr, or edges"],
    ["no labels", { "labels.npy": null }, "has no member labels.npy"],
    [
      "a column out of range",
      { "adj_matrix.indices.npy": i4(1, 2, 2, 3, 5) },
      "adj_matrix: column 5 in row 3 must be in 0 … 4",
    ],
    [
      "a negative column",
      { "adj_matrix.indices.npy": i4(1, 2, 2, -3, 4) },
      "adj_matrix: column -3 in row 2 must be in 0 … 4",
    ],
    [
      "a column beyond 32 bits",
      { "adj_matrix.indices.npy": i8(1, 2, 2, 3, 2 ** 40) },
      "adj_matrix.indices: 1099511627776 at position 4",
    ],
    [
      "a duplicate entry",
      { "adj_matrix.indices.npy": i4(1, 1, 2, 3, 4) },
      "columns of row 0 must ascend, got 1 then 1",
    ],
    [
      "a duplicate feature out of order",
      { "attr_matrix.indices.npy": i4(0, 1, 2, 2, 2, 1) },
      "attr_matrix: columns of row 3 must ascend",
    ],
    [
      "row pointers that decrease",
      { "adj_matrix.indptr.npy": i4(0, 3, 2, 4, 5, 5) },
      "adj_matrix: row pointers must not decrease, got 3 then 2 at row 1",
    ],
    [
      "row pointers beyond the entries",
      { "adj_matrix.indptr.npy": i4(0, 2, 3, 4, 5, 9) },
      "row pointers end at 9, but there are 5",
    ],
    [
      "row pointers that start late",
      { "adj_matrix.indptr.npy": i4(1, 2, 3, 4, 5, 5) },
      "row pointers must start at 0, got 1",
    ],
    [
      "a negative row pointer",
      { "adj_matrix.indptr.npy": i4(0, -2, 3, 4, 5, 5) },
      "must not decrease, got 0 then -2 at row 0",
    ],
    [
      "a shape that disagrees with the pointers",
      { "adj_matrix.shape.npy": i8(6, 6) },
      "row pointers must have length 7, got 6",
    ],
    [
      "a shape beyond all memory",
      { "adj_matrix.shape.npy": i8(2 ** 50, 2 ** 50) },
      "row pointers must have length 1125899906842625",
    ],
    ["a shape of three sizes", { "adj_matrix.shape.npy": i8(5, 5, 5) }, "shape must be two sizes, got (5, 5, 5)"],
    ["an adjacency that is not square", { "adj_matrix.shape.npy": i8(5, 6) }, "adjacency must be square, got 5 × 6"],
    ["values that are too few", { "adj_matrix.data.npy": f4(1, 1) }, "adj_matrix: 2 values for 5 entries"],
    [
      "a NaN feature",
      { "attr_matrix.data.npy": f4(1, 0.5, 2, Number.NaN, 1, 3) },
      "feature 0 of node 3 is NaN, must be finite",
    ],
    ["an infinite feature", { "attr_matrix.data.npy": f4(1, Infinity, 2, 1, 1, 3) }, "feature 1 of node 1 is Infinity"],
    [
      "features of another number of nodes",
      { "attr_matrix.shape.npy": i8(4, 3), "attr_matrix.indptr.npy": i4(0, 1, 2, 3, 6) },
      "features have 4 rows for 5 nodes",
    ],
    ["labels of another number of nodes", { "labels.npy": i8(0, 1, 0) }, "3 labels for 5 nodes"],
    ["a label below -1", { "labels.npy": i8(0, 1, -2, 1, 1) }, "label -2 of node 2 must be 0 or more, or -1 for none"],
    ["a label that is not an integer", { "labels.npy": f4(0, 1.5, 0, 1, 1) }, "labels: 1.5 at position 1"],
  ]);
  test("sorts columns that are not sorted", async () => {
    const path = writeSmallGraph(files, temporaryFolder(), { "adj_matrix.indices.npy": i4(2, 1, 2, 3, 4) });
    expect((await loadGraph(path)).graph.numEntries).toBe(10);
  });
});

describe("edge npz", () => {
  const pairs = (...ids: number[]) => formatNpy(BigInt64Array.from(ids, BigInt), [ids.length / 2, 2]);
  refuses(smallGraphs["npz edges"], [
    ["a node out of range", { "edges.npy": pairs(0, 1, 3, 5) }, "edges: node 5 at position 3 must be in 0 … 4"],
    ["a negative node", { "edges.npy": pairs(0, -1) }, "edges: node -1 at position 1 must be in 0 … 4"],
    [
      "edges of three nodes",
      { "edges.npy": formatNpy(new Int32Array(6), [2, 3]) },
      "edges: shape must be (m, 2), got (2, 3)",
    ],
    [
      "features that are no matrix",
      { "node_features.npy": f4(1, 2, 3) },
      "node_features: shape must be (nodes, features), got (3)",
    ],
    [
      "a NaN feature",
      { "node_features.npy": formatNpy(new Float32Array(15).fill(Number.NaN), [5, 3]) },
      "feature 0 of node 0 is NaN",
    ],
    ["labels of another number of nodes", { "node_labels.npy": i8(1) }, "1 labels for 5 nodes"],
    [
      "masks that are not booleans",
      { "val_masks.npy": formatNpy(new Int32Array(10), [2, 5]) },
      "val_masks: must be booleans (splits, nodes), got i4 (2, 5)",
    ],
    [
      "a node in two sets of a split",
      { "val_masks.npy": smallGraphs["npz edges"].parts["train_masks.npy"] },
      "split mask-0: node 0 is in it twice",
    ],
  ]);
});

describe("planetoid", () => {
  const matrix = (shape: [number, number], indptr: number[], indices: number[], data: number[]) =>
    pickle(pickleCsr({ shape, indptr, indices, data }));
  const oneHot = (...values: number[]) => pickle(pickleArray(Int32Array.from(values), [values.length / 2, 2]));
  const { parts } = smallGraphs.planetoid;
  refuses(smallGraphs.planetoid, [
    [
      "a truncated file",
      { "ind.small.allx": parts["ind.small.allx"].subarray(0, 200) },
      /ind.small.allx: pickle needs \d+ bytes at \d+/,
    ],
    [
      "a file that is no pickle",
      { "ind.small.allx": text("<html>") },
      'ind.small.allx: byte 1 of the pickle: unknown opcode "<"',
    ],
    [
      "a pickle that calls something",
      { "ind.small.graph": text("cos\nsystem\n(S'true'\ntR.") },
      "ind.small.graph: pickle refers to os.system",
    ],
    ["a file that is not there", { "ind.small.tx": null }, "ind.small.tx: cannot be opened (ENOENT)"],
    [
      "something else than a matrix",
      { "ind.small.tx": pickle(pickleInt(1)) },
      "ind.small.tx: must hold a scipy CSR matrix",
    ],
    [
      "something else than labels",
      { "ind.small.ty": pickle(pickleInt(1)) },
      "ind.small.ty: must hold a numpy matrix of one-hot labels",
    ],
    [
      "something else than a dictionary",
      { "ind.small.graph": pickle(pickleInt(1)) },
      "ind.small.graph: must hold a dictionary",
    ],
    [
      "a feature out of range",
      { "ind.small.tx": matrix([2, 3], [0, 1, 3], [1, 0, 3], [3, 1, 1]) },
      "column 3 in row 1 must be in 0 … 2",
    ],
    [
      "row pointers that decrease",
      { "ind.small.tx": matrix([2, 3], [0, 4, 3], [1, 0, 2], [3, 1, 1]) },
      "must not decrease, got 4 then 3",
    ],
    [
      "a NaN feature",
      { "ind.small.tx": matrix([2, 3], [0, 1, 3], [1, 0, 2], [3, 1, Number.NaN]) },
      "feature 2 of node 3 is NaN",
    ],
    [
      "test features of another width",
      { "ind.small.tx": matrix([2, 4], [0, 1, 3], [1, 0, 2], [3, 1, 1]) },
      "ind.small.tx: 4 features, allx has 3",
    ],
    [
      "more test labels than test nodes",
      { "ind.small.ty": oneHot(1, 0, 0, 1, 0, 1) },
      "ind.small.ty: 3 rows, must be 2 as ids in test.index",
    ],
    [
      "labels that disagree with the features",
      { "ind.small.ally": oneHot(1, 0) },
      "ind.small.ally: 1 rows, must be 3 as in allx",
    ],
    [
      "a label that is two",
      { "ind.small.ally": oneHot(1, 1, 0, 1, 1, 0) },
      "ind.small.ally: row 0 must hold at most one 1, got 1 in column 1",
    ],
    [
      "a label that is neither 0 nor 1",
      { "ind.small.ally": oneHot(7, 0, 0, 1, 1, 0) },
      "must hold at most one 1, got 7 in column 0",
    ],
    [
      "a neighbour out of range",
      { "ind.small.graph": pickle(pickleNeighbours([[1, 9], [0], [3], [2], [3]])) },
      "neighbour 9 of node 0 must be in 0 … 4",
    ],
    [
      "a negative neighbour",
      { "ind.small.graph": pickle(pickleNeighbours([[-1], [0], [3], [2], [3]])) },
      "neighbour -1 of node 0",
    ],
    [
      "a node out of range",
      { "ind.small.graph": pickle(pickleNeighbours([[2], [0], [3], [2], [3]], 1)) },
      "node 5 must be in 0 … 4",
    ],
    [
      "a test id out of range",
      { "ind.small.test.index": text("4\n77\n") },
      "ind.small.test.index: test id 77 must be in 3 … 4",
    ],
    ["a test id twice", { "ind.small.test.index": text("4\n4\n") }, "test id 4 is there twice"],
    [
      "a test id that is no number",
      { "ind.small.test.index": text("4\nx\n") },
      'ind.small.test.index: line 2 must be a node id, got "x"',
    ],
  ]);
});

describe("Open Graph Benchmark folder", () => {
  refuses(smallGraphs.ogb, [
    ["a file that is not there", { "ogb/raw/node-feat.csv": null }, "node-feat.csv.gz: cannot be opened (ENOENT)"],
    [
      "a node out of range",
      { "ogb/raw/edge.csv": text("0,1\n2,5\n") },
      "edge.csv.gz: node 5 of edge 1 must be in 0 … 4",
    ],
    ["a negative node", { "ogb/raw/edge.csv": text("0,-1\n") }, "edge.csv.gz: node -1 of edge 0"],
    ["a node that is no integer", { "ogb/raw/edge.csv": text("0,1.5\n") }, "edge.csv.gz: node 1.5 of edge 0"],
    [
      "an edge of three nodes",
      { "ogb/raw/edge.csv": text("0,1\n0,1,2\n") },
      "edge.csv.gz: line 2 has 3 columns, must have 2",
    ],
    ["a NaN feature", { "ogb/raw/node-feat.csv": text("1\n2\nnan\n4\n5\n") }, "feature 0 of node 2 is NaN"],
    [
      "an infinite feature",
      { "ogb/raw/node-feat.csv": text("1\n2\n3\n-inf\n5\n") },
      "feature 0 of node 3 is -Infinity",
    ],
    [
      "features of another number of nodes",
      { "ogb/raw/node-feat.csv": text("1\n2\n") },
      "features have 2 rows for 5 nodes",
    ],
    [
      "a number of nodes that disagrees",
      { "ogb/raw/num-node-list.csv": text("6\n") },
      "num-node-list.csv.gz: says 6, but there are 5 labels",
    ],
    [
      "a number of edges that disagrees",
      { "ogb/raw/num-edge-list.csv": text("6\n") },
      "num-edge-list.csv.gz: says 6, but there are 5 edges",
    ],
    [
      "a split without its training nodes",
      { "ogb/split/time/train.csv": null },
      "split: has time, but no <kind>/train.csv.gz",
    ],
    ["a split without its test nodes", { "ogb/split/time/test.csv": null }, "test.csv.gz: cannot be opened (ENOENT)"],
    [
      "a label below -1",
      { "ogb/raw/node-label.csv": text("0\n-7\n0\n1\n1\n") },
      "label -7 of node 1 must be 0 or more, or -1 for none",
    ],
    [
      "two labels per node",
      { "ogb/raw/node-label.csv": text("0,1\n0,1\n0,1\n0,1\n0,1\n") },
      "node-label.csv.gz: must have one column, got 2",
    ],
    [
      "a split with an unknown node",
      { "ogb/split/time/test.csv": text("3\n5\n") },
      "test.csv.gz: node 5 in line 2 must be in 0 … 4",
    ],
    ["a split with a node twice", { "ogb/split/time/test.csv": text("3\n0\n") }, "split public: node 0 is in it twice"],
  ]);
});

describe("csv folder", () => {
  refuses(smallGraphs.csv, [
    [
      "text among numbers",
      { "csv/features.csv": text("1\n2\nthree\n4\n5\n") },
      'features.csv: line 3: number expected, got "three"',
    ],
    ["a node out of range", { "csv/edges.csv": text("0,1\n5,1\n") }, "edges.csv: node 5 of edge 1 must be in 0 … 4"],
    [
      "rows of different widths",
      { "csv/features.csv": text("1,2\n3\n4,5\n6,7\n8,9\n") },
      "features.csv: line 2 has 1 columns, must have 2",
    ],
    ["labels of another number of nodes", { "csv/labels.csv": text("0\n1\n") }, "2 labels for 5 nodes"],
    [
      "a label that is no integer",
      { "csv/labels.csv": text("0\n0.5\n1\n1\n0\n") },
      "labels.csv: label 0.5 of node 1 must be an integer",
    ],
    [
      "no edges and no nodes",
      { "csv/edges.csv": text("from,to\n"), "csv/features.csv": text("\n"), "csv/labels.csv": text("\n") },
      "must have at least one node",
    ],
  ]);
});

describe("parquet folder", () => {
  const files = smallGraphs.parquet;
  const half = (member: string) => files.parts[member].subarray(0, files.parts[member].length / 2);
  const { "parquet/edges.parquet": edges } = files.parts;
  const spoilt = edges.slice();
  spoilt.fill(0xff, 10, 30);
  const ids = [0n, 1n, 2n, 3n];
  const edgesOf = (columns: Parameters<typeof parquetOf>[0]) => ({ "parquet/edges.parquet": parquetOf(columns) });
  refuses(files, [
    [
      "a file that is cut off",
      { "parquet/labels.parquet": half("parquet/labels.parquet") },
      "labels.parquet: is not a parquet file, or it is cut off",
    ],
    [
      "csv under a wrong name",
      { "parquet/edges.parquet": text("source,target\n0,1\n") },
      "edges.parquet: is not a parq",
    ],
    ["damaged pages", { "parquet/edges.parquet": spoilt }, "edges.parquet: is no whole parquet file ("],
    [
      "an edge without a node",
      edgesOf([
        { name: "source", type: "INT64", data: ids },
        { name: "target", type: "INT64", data: [1n, null, 3n, 4n] },
      ]),
      'edges.parquet: row 1, column "target": has no value',
    ],
    [
      "a feature that is missing",
      { "parquet/features.parquet": parquetOf([{ name: "age", type: "DOUBLE", data: [1, 2, null, 4, 5] }]) },
      'features.parquet: row 2, column "age": has no value',
    ],
    [
      "text among features",
      {
        "parquet/features.parquet": parquetOf([
          { name: "age", type: "DOUBLE", data: [1, 2] },
          { name: "colour", type: "STRING", data: ["red", "blue"] },
        ]),
      },
      'features.parquet: column "colour" must hold numbers, got text',
    ],
    [
      "one column of edges",
      edgesOf([{ name: "source", type: "INT64", data: ids }]),
      "must have 2 columns, or 3 with weights",
    ],
    [
      "columns of edges with one usual name",
      edgesOf([
        { name: "source", type: "INT64", data: ids },
        { name: "other", type: "INT64", data: ids },
      ]),
      "columns must be source, target and perhaps weight, got source, other",
    ],
    [
      "a column whose name would move the cursor",
      edgesOf([
        { name: "source", type: "INT64", data: ids },
        { name: "a\x1b[2J", type: "INT64", data: ids },
      ]),
      "got source, a\\x1b[2j",
    ],
    [
      "numbers on one side of edges and names on the other",
      edgesOf([
        { name: "source", type: "INT64", data: [0n] },
        { name: "target", type: "STRING", data: ["ann"] },
      ]),
      "nodes must be numbers in both columns, or names in both",
    ],
    [
      "a node that is no whole number",
      edgesOf([
        { name: "source", type: "DOUBLE", data: [0.5] },
        { name: "target", type: "DOUBLE", data: [1] },
      ]),
      "node 0.5 of edge 0 must be a whole number",
    ],
    [
      "a label that is no integer",
      { "parquet/labels.parquet": parquetOf([{ name: "y", type: "DOUBLE", data: [0, 0.5, 1, 1, 0] }]) },
      "labels.parquet: label 0.5 of node 1 must be an integer",
    ],
    [
      "three columns of labels",
      { "parquet/labels.parquet": parquetOf(["a", "b", "c"].map((name) => ({ name, type: "INT32", data: [0] }))) },
      "labels.parquet: must have one column, or two with ids, got 3",
    ],
    [
      "ids that are no whole numbers",
      {
        "parquet/labels.parquet": parquetOf([
          { name: "id", type: "DOUBLE", data: [0, 1.5] },
          { name: "label", type: "INT32", data: [0, 1] },
        ]),
      },
      'labels.parquet: row 1: node id "1.5" must be a whole number or a name',
    ],
  ]);
  test("refuses features where edges are expected", async () => {
    const path = writeSmallGraph(files, temporaryFolder());
    await expect(loadGraph(join(path, "features.parquet"))).rejects.toThrow(
      "features.csv and labels.csv (or .parquet)",
    );
  });
});

describe("scipy matrix", () => {
  const files = smallGraphs["scipy coo"];
  const format = (word: string) => bytesOf(formatNpyHeader(`|S${word.length}`, []), word);
  refuses(files, [
    ["an unknown format", { "format.npy": format("bsr") }, 'is a matrix in the format "bsr"; convert it with .tocsr()'],
    ["a row out of range", { "row.npy": i4(3, 0, 0, 9, 2) }, "row 9 of entry 3 must be in 0 … 4"],
    ["lists of different lengths", { "row.npy": i4(3, 0, 0) }, "3 rows, 5 columns and 5 values must be as many"],
    ["a size far beyond the entries", { "shape.npy": i8(99999999, 5) }, "size 99999999 is far beyond the 5 entries"],
    ["a shape of one size", { "shape.npy": i8(5) }, "shape must be two sizes, got (5)"],
    ["weights", { "data.npy": f4(1, 1, 2, 1, 1) }, "the edge from 0 to 2 has weight 2"],
  ]);
});

describe("MatrixMarket", () => {
  const head = "%%MatrixMarket matrix coordinate pattern general\n";
  refuses(smallGraphs["matrix market"], [
    ["another header", { "market/adj.mtx": text("%%MatrixMarket matrix array real general\n") }, "line 1 must be"],
    ["no sizes", { "market/adj.mtx": text(head) }, "ends before its sizes"],
    ["fewer entries than it says", { "market/adj.mtx": text(`${head}5 5 2\n1 2\n`) }, "says 2 entries, but holds 1"],
    ["text", { "market/adj.mtx": text(`${head}5 5 1\n1 x\n`) }, 'line 3 must hold 2 numbers, got "1 x"'],
    ["an entry of row 0", { "market/adj.mtx": text(`${head}5 5 1\n0 1\n`) }, "row -1 of entry 0 must be in 0 … 4"],
    ["half an entry", { "market/adj.mtx": text(`${head}5 5 1\n1.5 1\n`) }, "row 0.5 of entry 0"],
  ]);
});

describe("GraphML", () => {
  const graph = (inside: string) => ({ "small.graphml": text(`<graphml>${inside}</graphml>`) });
  const weighted = (weight: string) => ({
    "small.graphml": text(
      '<graphml><key id="w" for="edge" attr.name="weight"/><graph><node id="a"/><node id="b"/>' +
        `<edge source="a" target="b"><data key="w">${weight}</data></edge></graph></graphml>`,
    ),
  });
  const bomb = '<!DOCTYPE lolz [<!ENTITY lol "lol">]><graphml/>';
  refuses(smallGraphs.graphml, [
    ["a document type", { "small.graphml": text(bomb) }, "line 1: a document type is not read; remove it"],
    [
      "an element that does not end",
      { "small.graphml": text("<graphml><graph>") },
      "ends inside of <graph>; is it cut off?",
    ],
    ["tags that cross", { "small.graphml": text("<graphml><a></graphml>") }, "</graphml> ends what <a> began"],
    ["another document", { "small.graphml": text("<svg/>") }, "must hold <graphml>, got <svg>"],
    ["two graphs", graph("<graph/><graph/>"), "must hold one <graph>, got 2"],
    ["a node without id", graph("<graph><node/></graph>"), "a <node> has no id"],
    ["a node twice", graph('<graph><node id="a"/><node id="a"/></graph>'), 'node id "a" is there twice'],
    [
      "an unknown node",
      graph('<graph><node id="a"/><edge source="a" target="b"/></graph>'),
      'node "b" of edge 0 is not among',
    ],
    [
      "an unknown key",
      graph('<graph><node id="a"><data key="k">1</data></node></graph>'),
      'no <key> of a node has the id "k"',
    ],
    [
      "a node that holds a graph",
      graph('<graph><node id="a"><graph><node id="b"/></graph></node></graph>'),
      'the node "a" holds a graph of its own; save it without groups',
    ],
    ["a weight that is a word", weighted("heavy"), 'weight of an edge: number expected, got "heavy"'],
    ["a weight that is written as text", weighted("2"), "the edge from a to b has weight 2"],
    ["an unknown entity", graph("&lol;"), "unknown entity &lol;"],
    ["what is not XML", { "small.graphml": text("graph {}") }, "must hold one XML element"],
  ]);
});

describe("node-link JSON", () => {
  const json = (value: unknown) => ({ "small.json": text(JSON.stringify(value)) });
  const nodes = [{ id: 0, label: 1, h: 1.5 }, { id: 1 }];
  refuses(smallGraphs["node-link json"], [
    ["no object", json([]), "must be an object with nodes and links"],
    ["no links", json({ nodes }), "links must be a list of objects"],
    ["a node without id", json({ nodes: [{}], links: [] }), "node 0: id must be text or a whole number, got undefined"],
    ["a link to nowhere", json({ nodes, links: [{ source: 0 }] }), "link 0: target must be text or a whole number"],
    [
      "a weight that is text",
      json({ nodes, links: [{ source: 0, target: 1, weight: "x" }] }),
      "weight must be a number",
    ],
    ["a feature that some nodes lack", json({ nodes, links: [] }), 'node 1 has no number as "h"'],
    [
      "a label that is no integer",
      json({ nodes: [{ id: 0, label: 1.5 }], links: [] }),
      "label of node 0 must be an integer",
    ],
    [
      "a split of unknown name",
      json({ nodes: [{ id: 0, split: "dev" }], links: [] }),
      "must be train, val, test or none",
    ],
  ]);
});

describe("torch file", () => {
  const evil = pickle(bytesOf("cos\nsystem\nX\x04\x00\x00\x00true\x85R"));
  refuses(smallGraphs["torch file"], [
    ["a call of anything else", { "small/data.pkl": evil }, "pickle refers to os.system; only numpy arrays"],
    ["a missing storage", { "small/data/1": null }, "has no member small/data/1"],
    [
      "a storage that is too short",
      { "small/data/0": new Uint8Array(8) },
      "a tensor reaches to number 14 of 2 that are there",
    ],
    [
      "a node out of range",
      { "small/data/1": new Uint8Array(BigInt64Array.of(0n, 1n, 2n, 3n, 9n, 1n, 2n, 3n, 4n, 0n).buffer) },
      "edge_index: node 9 of entry 4",
    ],
    ["big-endian numbers", { "small/byteorder": text("big") }, "numbers must be little-endian"],
    [
      "something else than a graph",
      { "small/data.pkl": pickle(pickleInt(1)) },
      "must hold one Data of PyTorch Geometric",
    ],
    ["no pickle", { "small/data.pkl": null }, "is no file of torch.save"],
  ]);
});

describe("paths", () => {
  test("refuses a file that is not there", async () => {
    await expect(loadGraph("./nothing.npz")).rejects.toThrow("./nothing.npz: there is no such file or folder");
  });
  test("refuses a folder without a graph and says what it looked for", async () => {
    const folder = temporaryFolder();
    await expect(loadGraph(folder)).rejects.toThrow(`${folder}: holds no graph; a folder may hold edges.csv`);
  });
  test("refuses a folder with several Planetoid sets and names them", async () => {
    const folder = temporaryFolder();
    for (const name of ["a", "b"]) writeFileSync(join(folder, `ind.${name}.graph`), "");
    await expect(loadGraph(folder)).rejects.toThrow("holds several sets (ind.a, ind.b); name one");
  });
  test("refuses a folder with several archives and names them", async () => {
    const folder = temporaryFolder();
    for (const name of ["a.npz", "b.zip"]) writeFileSync(join(folder, name), "");
    await expect(loadGraph(folder)).rejects.toThrow("holds several graphs (a.npz, b.zip); name one");
  });
  test("refuses a folder where a file is expected", async () => {
    const folder = temporaryFolder();
    const path = writeSmallGraph(smallGraphs.planetoid, folder, { "ind.small.tx": null });
    mkdirSync(`${path}.tx`);
    await expect(loadGraph(path)).rejects.toThrow("ind.small.tx: must be a file, not a folder");
  });
  test("refuses a csv file that is no edge list", async () => {
    const path = join(temporaryFolder(), "features.csv");
    writeFileSync(path, "1,2\n");
    await expect(loadGraph(path)).rejects.toThrow("a graph as csv is a folder with edges.csv");
  });
  test("refuses archives that are cut off or no archives", async () => {
    const path = join(temporaryFolder(), "graph.npz");
    for (const content of ["", "PK", "hello, this is not a zip archive"]) {
      writeFileSync(path, content);
      await expect(loadGraph(path)).rejects.toThrow(`${path}: is not a zip archive, or it is cut off`);
    }
  });
});
