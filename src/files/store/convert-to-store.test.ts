import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { anyGraph, randomGraph } from "../../../test/support/any-graph.ts";
import { readStore } from "../../../test/support/read-store.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { zip64 } from "../../../test/support/zip64.ts";
import { Rng } from "../../core/rng.ts";
import { formatNpy } from "../../data/formats/npy.ts";
import { formatNpyHeader } from "../../data/formats/npy-header.ts";
import { NodeIds } from "../../data/node-ids.ts";
import { isSparse } from "../../graph/graph.ts";
import { symmetrise } from "../../graph/symmetrise.ts";
import { loadGraph } from "../load.ts";
import { formatChecked } from "./checked-json.ts";
import { convertToStore } from "./convert-to-store.ts";
import { GRAPH_STORE } from "./store-header.ts";
import { readStoreIds } from "./store-ids.ts";
import { writeGraphStore } from "./write-graph-store.ts";

const leastMemory = 4096; // 256 entries are sorted at a time

describe("convertToStore from a store", () => {
  test("symmetrises any directed graph as symmetrise does in memory", async () => {
    await fc.assert(
      fc.asyncProperty(anyGraph, async (graph) => {
        if (!graph.directed) return;
        const folder = temporaryFolder();
        await writeGraphStore(graph, join(folder, "a.store"));
        await convertToStore(join(folder, "a.store"), join(folder, "b.store"), {
          directed: false,
          memory: leastMemory,
        });
        const { rowPtr, columns, header } = readStore(join(folder, "b.store"));
        const expected = symmetrise(graph.adjacency);
        expect([rowPtr, columns, header.directed]).toEqual([[...expected.rowPtr], expected.colIdx, false]);
        expect(header.numEntries).toBe(expected.colIdx.length);
      }),
      { numRuns: 25 },
    );
  });
  test.each([0, 1, 2])("symmetrises a larger graph through many buckets, seed %i", async (seed) => {
    const graph = randomGraph(400, 0.05, seed, { directed: true });
    const folder = temporaryFolder();
    await writeGraphStore(graph, join(folder, "a.store"));
    await convertToStore(join(folder, "a.store"), join(folder, "b.store"), { directed: false, memory: leastMemory });
    const { rowPtr, columns } = readStore(join(folder, "b.store"));
    const expected = symmetrise(graph.adjacency);
    expect([rowPtr, columns]).toEqual([[...expected.rowPtr], expected.colIdx]);
  });
  test("shares the files that stay as they are, and writes features anew in another type", async () => {
    const graph = randomGraph(50, 0.1, 1, { directed: true });
    const folder = temporaryFolder();
    const before = join(folder, "a.store");
    await writeGraphStore(graph, before);
    await convertToStore(before, join(folder, "b.store"), { directed: false });
    const inode = (store: string, file: string) => statSync(join(folder, store, file)).ino;
    expect(inode("b.store", "features.f32")).toBe(inode("a.store", "features.f32"));
    expect(inode("b.store", "columns.i32")).not.toBe(inode("a.store", "columns.i32"));
    for (const type of ["f16", "i8"] as const) {
      const path = join(folder, `${type}.store`);
      await convertToStore(before, path, { features: type });
      const { header, features, columns } = readStore(path);
      expect(header.parts.features.type).toBe(type);
      expect(columns).toEqual(graph.adjacency.colIdx);
      const exact = readStore(before).features;
      for (const [k, value] of features.entries()) expect(value).toBeCloseTo(exact[k], type === "f16" ? 2 : 1);
    }
  });
  test("refuses to bring directions back, and to write onto itself", async () => {
    const folder = join(temporaryFolder(), "a.store");
    await writeGraphStore(randomGraph(5, 0.5, 1), folder);
    await expect(convertToStore(folder, `${folder}.b.store`, { directed: true })).rejects.toThrow(
      "is undirected, and the directions are not known any more",
    );
    await expect(convertToStore(folder, folder)).rejects.toThrow("cannot be made from itself");
  });
});

describe("writeGraphStore", () => {
  test("keeps everything of any graph", async () => {
    await fc.assert(
      fc.asyncProperty(anyGraph, async (graph) => {
        const folder = join(temporaryFolder(), "a.store");
        const splits = { public: { train: Int32Array.of(0), val: Int32Array.of(), test: Int32Array.of() } };
        await writeGraphStore(graph, folder, { splits });
        const stored = readStore(folder);
        expect(stored.rowPtr).toEqual([...graph.adjacency.rowPtr]);
        expect(stored.columns).toEqual(graph.adjacency.colIdx);
        expect(stored.labels).toEqual(graph.labels);
        expect(stored.splits).toEqual(splits);
        if (!isSparse(graph.features)) expect(stored.features).toEqual(graph.features.data);
        else
          expect(stored.features.reduce((sum: number, value: number) => sum + value, 0)).toBeCloseTo(
            sumOf(graph.features),
            3,
          );
      }),
      { numRuns: 20 },
    );
  });
  test.each([
    ["numbers", [10, 2 ** 40, 7]],
    ["names", ["ann", "", "zoë\n"]],
  ])("keeps ids that are %s", async (_, list) => {
    const folder = join(temporaryFolder(), "a.store");
    await writeGraphStore(randomGraph(3, 0.5, 1), folder, { ids: NodeIds.of(list, "x") });
    const ids = readStoreIds(folder, readStore(folder).header);
    expect(ids.idsOf([0, 1, 2])).toEqual(list);
  });
});

describe("loadGraph", () => {
  test("gives back what was written, of any graph", async () => {
    await fc.assert(
      fc.asyncProperty(anyGraph, async (graph) => {
        const folder = join(temporaryFolder(), "a.store");
        const splits = { public: { train: Int32Array.of(0), val: Int32Array.of(), test: Int32Array.of() } };
        const ids = NodeIds.of(
          Array.from({ length: graph.numNodes }, (_, node) => `n${node}`),
          "x",
        );
        await writeGraphStore(graph, folder, { splits, ids });
        const loaded = await loadGraph(folder);
        expect(loaded.graph.adjacency).toEqual({ ...graph.adjacency, values: null });
        expect([loaded.graph.labels, loaded.graph.directed]).toEqual([graph.labels, graph.directed]);
        expect(loaded.graph.numClasses).toBe(graph.numClasses);
        expect([loaded.splits, loaded.ids.idOf(0)]).toEqual([splits, "n0"]);
      }),
      { numRuns: 20 },
    );
  });
  test("says what is missing of a store", async () => {
    const folder = join(temporaryFolder(), "a.store");
    await writeGraphStore(randomGraph(5, 0.5, 1), folder);
    rmSync(join(folder, "columns.i32"));
    await expect(loadGraph(folder)).rejects.toThrow("columns.i32: cannot be opened (ENOENT)");
  });
  test("refuses a store that is too large for the memory", async () => {
    const folder = join(temporaryFolder(), "a.store");
    await writeGraphStore(randomGraph(5, 0.5, 1), folder);
    const header = { ...readStore(folder).header, numNodes: 111_059_956, numFeatures: 12_800 };
    writeFileSync(join(folder, "store.json"), formatChecked(GRAPH_STORE, header));
    await expect(loadGraph(folder)).rejects.toThrow(
      /a\.store: the whole graph takes 52\d\d\.\d GiB in memory, and there are /,
    );
  });
});

describe("convertToStore from the Open Graph Benchmark", () => {
  const graph = messyOgb(300, 2500, 4);
  const packings: [string, (members: Record<string, Uint8Array>) => Uint8Array][] = [
    ["stored", (members) => zipSync(members, { level: 0 })],
    ["deflated", (members) => zipSync(members, { level: 6 })],
    ["zip64", zip64],
  ];
  for (const directed of [true, false]) {
    test.each(packings)(`reads data.npz, %s, piece by piece as in memory, directed ${directed}`, async (_, pack) => {
      const folder = binaryFolder(graph, pack);
      await expectAsInMemory(folder, { directed, memory: 2 * leastMemory });
    });
    test(`reads csv.gz piece by piece as in memory, directed ${directed}`, async () => {
      await expectAsInMemory(csvFolder(graph), { directed, memory: 2 * leastMemory });
    });
  }
  test("says that a node has too many edges for the memory, and goes on with more of it", async () => {
    const folder = csvFolder(graph);
    const path = join(folder, "out.store");
    await expect(convertToStore(folder, path, { memory: leastMemory })).rejects.toThrow(
      `${path}: node 0 has 284 edges, for which --memory must be 1M at least`,
    );
    await expectAsInMemory(folder, { directed: false, memory: 2 ** 20 });
    const another = csvFolder(graph);
    await expect(convertToStore(another, join(another, "out.store"), { memory: 1000 })).rejects.toThrow(
      "sorting needs 4096 bytes at least, got 1000; raise --memory",
    );
  });
  test("keeps float16 features bit by bit, without a detour", async () => {
    const halves = Uint16Array.from({ length: 300 * 4 }, (_, k) => (k * 37) % 0x7c00);
    const feat = new Uint8Array(Buffer.concat([formatNpyHeader("<f2", [300, 4]), new Uint8Array(halves.buffer)]));
    const folder = binaryFolder(graph, (members) =>
      zipSync({ ...members, ...("node_feat.npy" in members && { "node_feat.npy": feat }) }),
    );
    await convertToStore(folder, join(folder, "a.store"), { features: "f16" });
    await convertToStore(folder, join(folder, "b.store"));
    expect(readStore(join(folder, "a.store")).features).toEqual(readStore(join(folder, "b.store")).features);
    expect(readStore(join(folder, "a.store")).header.parts.features.type).toBe("f16");
  });
  test.each(["level 0", "level 6"])("finds a damaged archive, %s", async (level) => {
    const folder = binaryFolder(graph, (members) => zipSync(members, { level: level === "level 0" ? 0 : 6 }));
    const path = join(folder, "raw", "data.npz");
    const bytes = readFileSync(path);
    bytes[Math.floor(bytes.length / 2)] ^= 0xff;
    writeFileSync(path, bytes);
    await expect(convertToStore(folder, join(folder, "a.store"))).rejects.toThrow(
      /data\.npz: (edge_index|node_feat)(\.npy)?: |node \d+ of edge|must be finite|is there twice/,
    );
  });
  test("names the edge of a node that is not there, the wrong label and the wrong counts", async () => {
    const wrongEdge = { ...graph, sources: Int32Array.from(graph.sources, (node, e) => (e === 77 ? 300 : node)) };
    const convert = (folder: string) => convertToStore(folder, join(folder, "a.store"));
    const stored = (members: Record<string, Uint8Array>) => zipSync(members, { level: 0 });
    await expect(convert(binaryFolder(wrongEdge, stored))).rejects.toThrow(
      "edge_index: node 300 of edge 77 must be in 0 … 299",
    );
    await expect(convert(csvFolder(wrongEdge))).rejects.toThrow("edge.csv.gz: node 300 of edge 77");
    const wrongLabel = { ...graph, labels: graph.labels.map((label, node) => (node === 5 ? -3 : label)) };
    await expect(convert(binaryFolder(wrongLabel, stored))).rejects.toThrow("label -3 must be 0 or more");
    const fewer = { ...graph, labels: graph.labels.subarray(1) };
    await expect(convert(binaryFolder(fewer, stored))).rejects.toThrow("node_label: 299 labels for 300 nodes");
    await expect(convert(csvFolder(fewer))).rejects.toThrow("num-node-list.csv.gz: says 300, but there are 299 labels");
  });
});

function sumOf({ values, colIdx }: { values: Float32Array | null; colIdx: Int32Array }): number {
  return values ? Array.from(values).reduce((sum, value) => sum + value, 0) : colIdx.length;
}

interface OgbGraph {
  readonly sources: Int32Array;
  readonly targets: Int32Array;
  readonly features: Float32Array;
  readonly labels: Float32Array;
}

/** Unsorted edges with duplicates, mirror images and self loops, labels with gaps and NaN. */
function messyOgb(numNodes: number, numEdges: number, numFeatures: number): OgbGraph {
  const rng = new Rng(9);
  const nodes = () => Int32Array.from({ length: numEdges }, () => Math.floor(numNodes * rng.uniform() ** 2));
  return {
    sources: nodes(),
    targets: nodes(),
    features: Float32Array.from({ length: numNodes * numFeatures }, () => rng.normal()),
    labels: Float32Array.from({ length: numNodes }, () => (rng.uniform() < 0.5 ? Number.NaN : 2 * rng.integer(4))),
  };
}

function binaryFolder(graph: OgbGraph, pack: (members: Record<string, Uint8Array>) => Uint8Array): string {
  const { sources, targets, features, labels } = graph;
  const index = BigInt64Array.from([...sources, ...targets], BigInt);
  const data = {
    "edge_index.npy": formatNpy(index, [2, sources.length]),
    "node_feat.npy": formatNpy(features, [300, features.length / 300]),
    "num_nodes_list.npy": formatNpy(BigInt64Array.of(300n)),
    "num_edges_list.npy": formatNpy(BigInt64Array.of(BigInt(sources.length))),
  };
  return ogbFolder({
    "raw/data.npz": pack(data),
    "raw/node-label.npz": pack({ "node_label.npy": formatNpy(labels, [labels.length, 1]) }),
  });
}

function csvFolder({ sources, targets, features, labels }: OgbGraph): string {
  const numFeatures = features.length / 300;
  const lines = (rows: Iterable<unknown>) => gzipSync(`${[...rows].join("\n")}\n`);
  const rows = Array.from({ length: 300 }, (_, i) =>
    features.subarray(i * numFeatures, (i + 1) * numFeatures).join(","),
  );
  return ogbFolder({
    "raw/edge.csv.gz": lines([...sources].map((source, e) => `${source},${targets[e]}`)),
    "raw/node-feat.csv.gz": lines(rows),
    "raw/node-label.csv.gz": lines([...labels].map((label) => (Number.isNaN(label) ? "nan" : label))),
    "raw/num-node-list.csv.gz": lines([300]),
    "raw/num-edge-list.csv.gz": lines([sources.length]),
  });
}

function ogbFolder(files: Record<string, Uint8Array>): string {
  const folder = join(temporaryFolder(), "messy");
  const split = { train: [1, 5, 3], valid: [7], test: [0, 2] };
  const splits = Object.entries(split).map(([set, nodes]) => [
    `split/time/${set}.csv.gz`,
    gzipSync(`${nodes.join("\n")}\n`),
  ]);
  for (const [path, bytes] of [...Object.entries(files), ...(splits as [string, Uint8Array][])]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
  return folder;
}

async function expectAsInMemory(folder: string, options: { directed: boolean; memory: number }): Promise<void> {
  const path = join(folder, "out.store");
  await convertToStore(folder, path, options);
  const stored = readStore(path);
  const { graph, classes, splits } = await loadGraph(folder, options);
  expect(stored.header).toMatchObject({ name: "messy", numNodes: 300, directed: options.directed, classes });
  expect(stored.rowPtr).toEqual([...graph.adjacency.rowPtr]);
  expect(stored.columns).toEqual(graph.adjacency.colIdx);
  expect(stored.labels).toEqual(graph.labels);
  expect(stored.splits).toEqual(splits);
  expect(isSparse(graph.features) || graph.features.data).toEqual(stored.features);
}
