import { describe, expect, test } from "vitest";
import { parquetOf } from "../../../test/support/parquet-writer.ts";
import { csrFromEntries } from "../../graph/csr.ts";
import { bytesSource } from "../formats/byte-source.ts";
import { readGraphFile, readGraphFiles } from "../read-graph-files.ts";
import { formatMatrixMarket } from "../writers/matrix-market.ts";
import { readCsvGraph } from "./csv-graph.ts";
import { filesInMemory } from "./file-set.ts";
import { readEdgeTable, readFeatureTable, readLabelTable } from "./tables.ts";

type Columns = Parameters<typeof parquetOf>[0];
const source = (columns: Columns) => bytesSource(parquetOf(columns), "t.parquet");
const text = (content: string) => new TextEncoder().encode(content);

const named = parquetOf([
  { name: "Target", type: "STRING", data: ["bob", "cid"] },
  { name: "Source", type: "STRING", data: ["ann", "bob"] },
]);

describe("edges", () => {
  test("go by name, whatever the order", async () => {
    const columns: Columns = [
      { name: "weight", type: "FLOAT", data: [0.5, 2] },
      { name: "dst", type: "INT64", data: [1n, 2n] },
      { name: "src", type: "INT32", data: [0, 1] },
    ];
    expect(await readEdgeTable(source(columns))).toMatchObject({
      sources: Float64Array.of(0, 1),
      targets: Float64Array.of(1, 2),
      weights: Float32Array.of(0.5, 2),
    });
  });
  test("go by position where no name is usual", async () => {
    const columns: Columns = [
      { name: "citing", type: "STRING", data: ["a", "b"] },
      { name: "cited", type: "STRING", data: ["b", "c"] },
    ];
    expect(await readEdgeTable(source(columns))).toEqual({
      where: "t.parquet",
      sources: ["a", "b"],
      targets: ["b", "c"],
      weights: null,
    });
  });
});

describe("features", () => {
  test("have ids in a column that is called so, wherever it is", async () => {
    const columns: Columns = [
      { name: "age", type: "INT64", data: [31n, 25n] },
      { name: "tall", type: "BOOLEAN", data: [true, false] },
      { name: "ID", type: "INT64", data: [7n, 5n] },
    ];
    expect(await readFeatureTable(source(columns))).toEqual({
      features: { numRows: 2, numCols: 2, data: Float32Array.of(31, 1, 25, 0) },
      ids: [7, 5],
    });
  });
  test("have ids in a first column of text, and none in a first column of numbers", async () => {
    const x = { name: "x", type: "FLOAT", data: [1, 2] } as const;
    const who = { name: "who", type: "STRING", data: ["ann", "bob"] } as const;
    const features = { numRows: 2, numCols: 1, data: Float32Array.of(1, 2) };
    expect(await readFeatureTable(source([who, x] as unknown as Columns))).toEqual({ features, ids: ["ann", "bob"] });
    expect(await readFeatureTable(source([x] as unknown as Columns))).toEqual({ features });
  });
});

describe("labels", () => {
  test("are numbers or names, and unknown where they are missing", async () => {
    const numbers: Columns = [{ name: "y", type: "INT64", data: [2n, null, 0n] }];
    expect(await readLabelTable(source(numbers))).toEqual({ labels: Int32Array.of(2, -1, 0) });
    const names: Columns = [
      { name: "team", type: "STRING", data: ["red", null, "blue", "?"] },
      { name: "node", type: "INT32", data: [3, 2, 1, 0] },
    ];
    expect(await readLabelTable(source(names))).toEqual({
      labels: Int32Array.of(1, -1, 0, -1),
      classes: ["blue", "red"],
      ids: [3, 2, 1, 0],
    });
  });
});

describe("parquet files", () => {
  test("may be a graph by themselves, and lie beside text and matrices", async () => {
    const labels = parquetOf([
      { name: "id", type: "STRING", data: ["ann", "bob", "cid"] },
      { name: "label", type: "STRING", data: ["x", "y", "x"] },
    ]);
    const files = filesInMemory({ "net.parquet": named, "net.labels.parquet": labels });
    expect(await readGraphFile(files, "net.parquet")).toMatchObject({
      name: "net",
      ids: ["ann", "bob", "cid"],
      classes: ["x", "y"],
    });
    const mixed = filesInMemory({ "edges.csv": text("ann,bob\nbob,cid\n"), "labels.parquet": labels });
    expect((await readGraphFiles(mixed)).labels).toEqual(Int32Array.of(0, 1, 0));
    const matrix = text(formatMatrixMarket(csrFromEntries(3, 3, [0, 1], [1, 2])));
    const beside = filesInMemory({ "adj.mtx": matrix, "labels.parquet": labels });
    expect((await readGraphFile(beside, "adj.mtx")).labels).toEqual(Int32Array.of(0, 1, 0));
  });
  test("are taken by readCsvGraph as well", async () => {
    const graph = await readCsvGraph({ name: "mine", edges: bytesSource(named, "edges.parquet") });
    expect(graph).toMatchObject({ name: "mine", where: "edges.parquet", ids: ["ann", "bob", "cid"] });
    expect(graph.adjacency.colIdx).toEqual(Int32Array.of(1, 2));
  });
});
