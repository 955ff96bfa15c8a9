import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zipSync } from "fflate";
import { describe, expect, test, vi } from "vitest";
import { bytesOf } from "../../test/support/pickle-writer.ts";
import { realData, realPath } from "../../test/support/real-data.ts";
import { EDGES, LABELS, smallGraphs, writeFiles, writeSmallGraph } from "../../test/support/small-graph-files.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { UserError } from "../core/errors.ts";
import { catalogue } from "../data/catalogue/catalogue.ts";
import { readNumbers } from "../data/formats/csv-numbers.ts";
import { formatNpy } from "../data/formats/npy.ts";
import { toInt32 } from "../data/formats/npy-cast.ts";
import { formatNpyHeader } from "../data/formats/npy-header.ts";
import { npzFrom } from "../data/formats/npz.ts";
import { readCsvGraph } from "../data/readers/csv-graph.ts";
import { labelColumn } from "../data/readers/edge-list.ts";
import { readNpzGraph } from "../data/readers/npz-graph.ts";
import { splitSource } from "../data/split-source.ts";
import { hasEntry } from "../graph/csr.ts";
import { rowDegrees } from "../graph/degrees.ts";
import { edgeHomophily } from "../graph/edge-homophily.ts";
import { generateShape } from "../graph/generate-shape.ts";
import { type DenseMatrix, type Graph, isSparse } from "../graph/graph.ts";
import { SHAPES, scaleShape } from "../graph/shapes.ts";
import { fileSource } from "./file-source.ts";
import { loadGraph } from "./load.ts";

function classSizes({ labels, numClasses }: Graph): number[] {
  return Array.from({ length: numClasses }, (_, label) => labels.filter((other) => other === label).length);
}

function degreeFacts(graph: Graph) {
  const degrees = rowDegrees(graph.adjacency);
  return {
    min: Math.min(...degrees),
    max: Math.max(...degrees),
    empty: degrees.filter((degree) => degree === 0).length,
  };
}

function storedFeatures({ features }: Graph): Float32Array {
  return isSparse(features) ? features.values! : features.data;
}

describe("loadGraph on the small graph", () => {
  for (const [format, files] of Object.entries(smallGraphs)) {
    test(`reads ${format}`, async () => {
      const { graph, ids } = await loadGraph(writeSmallGraph(files, temporaryFolder()));
      expect([graph.numNodes, graph.numEntries, graph.numFeatures, graph.numClasses]).toEqual([5, 10, 3, 2]);
      for (let e = 0; e < EDGES.length; e += 2) expect(hasEntry(graph.adjacency, EDGES[e + 1], EDGES[e])).toBe(true);
      expect([...graph.labels]).toEqual(LABELS);
      expect([...storedFeatures(graph)].filter((value) => value !== 0)).toEqual([1, 0.5, 2, 1, 1, 3]);
      expect(ids.idsOf([0, 1, 2, 3, 4])).toEqual([0, 1, 2, 3, 4]);
    });
  }
  test("keeps directions when asked to", async () => {
    const { graph } = await loadGraph(writeSmallGraph(smallGraphs.csv, temporaryFolder()), { directed: true });
    expect([graph.directed, graph.numEntries, hasEntry(graph.adjacency, 1, 0)]).toEqual([true, 5, false]);
  });
  test("refuses weights, ignores them when asked to, and takes a stored zero for no edge", async () => {
    const data = formatNpy(Float32Array.of(1, 0, 1, 0.5, 1)); // 0-1, 0-2, 1-2, 2-3, 3-4
    const path = writeSmallGraph(smallGraphs["npz with dots"], temporaryFolder(), { "adj_matrix.data.npy": data });
    await expect(loadGraph(path)).rejects.toThrow("the edge from 2 to 3 has weight 0.5");
    const { graph, dropped, notes } = await loadGraph(path, { ignoreWeights: true });
    expect([graph.numEdges, hasEntry(graph.adjacency, 0, 2), dropped.zeros, dropped.weights]).toEqual([4, false, 1, 1]);
    expect(notes).toEqual(["small: 1 stored zeros are no edges", "small: the weights of 1 edges are ignored"]);
  });
  test("numbers labels that do not begin at 0 and keeps what they were", async () => {
    const labels = formatNpy(Int32Array.of(10, 3, 10, -1, 999));
    const path = writeSmallGraph(smallGraphs["npz with dots"], temporaryFolder(), { "labels.npy": labels });
    const { graph, classes } = await loadGraph(path);
    expect([[...graph.labels], graph.numClasses, classes]).toEqual([[1, 0, 1, -1, 2], 3, ["3", "10", "999"]]);
  });
  test("makes features binary when asked to", async () => {
    const path = writeSmallGraph(smallGraphs["npz edges"], temporaryFolder());
    const { graph } = await loadGraph(path, { binaryFeatures: true });
    expect([...storedFeatures(graph)]).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 0]);
  });
  test("returns the splits that came with the data", async () => {
    const masks = temporaryFolder();
    const ogb = temporaryFolder();
    const { splits } = await loadGraph(writeSmallGraph(smallGraphs["npz edges"], masks));
    expect(Object.keys(splits!)).toEqual(["mask-0", "mask-1"]);
    expect([...splits!["mask-1"].test]).toEqual([3, 4]);
    const { splits: published } = await loadGraph(writeSmallGraph(smallGraphs.ogb, ogb));
    expect([...published!["public"].train]).toEqual([0, 1]);
  });
  test("reads columns of a mask in an npz as splits, as PyTorch Geometric keeps them", async () => {
    const { pack, parts } = smallGraphs["npz edges"];
    const columns = (first: number[], second: number[]) => {
      const marks = Uint8Array.from({ length: 10 }, (_, i) => ([first, second][i % 2].includes(i >> 1) ? 1 : 0));
      return formatNpy(marks, [5, 2], true);
    };
    const masks = {
      train_mask: columns([0, 1], [2]),
      val_mask: columns([2], [0, 1]),
      test_mask: columns([3, 4], [3, 4]),
    };
    const path = join(temporaryFolder(), "small.npz");
    const members = Object.entries(masks).map(([name, bytes]) => [`${name}.npy`, bytes]);
    writeFileSync(path, pack({ ...parts, ...Object.fromEntries(members) })["small.npz"]);
    const { splits } = await loadGraph(path);
    expect(Object.keys(splits!)).toEqual(["mask-0", "mask-1"]);
    expect([...splits!["mask-0"].train]).toEqual([0, 1]);
    expect([...splits!["mask-1"].train]).toEqual([2]);
  });
  test("drops small components, renumbers splits and says which nodes it kept", async () => {
    const folder = temporaryFolder();
    const edges = new TextEncoder().encode("0,0\n2,1\n2,3\n3,3\n");
    const { graph, splits, ids, dropped, notes } = await loadGraph(
      writeSmallGraph(smallGraphs.ogb, folder, { "ogb/raw/edge.csv": edges, "ogb/raw/num-edge-list.csv": null }),
      { allComponents: false },
    );
    expect(ids.idsOf([0, 1, 2])).toEqual([1, 2, 3]);
    expect(dropped).toEqual({ nodes: 2, edges: 0, selfLoops: 2, zeros: 0, weights: 0 });
    expect(notes[0]).toBe(
      "ogb: 2 of 5 nodes and 0 edges are outside the largest component and left out; --all-components keeps them",
    );
    expect([graph.numNodes, graph.numEntries, ...graph.labels]).toEqual([3, 4, 1, 0, 1]);
    expect([splits!["public"].train, splits!["public"].test].map((set) => [...set])).toEqual([[0], [2]]);
  });
  test("keeps all components of Open Graph Benchmark folders", async () => {
    const edges = new TextEncoder().encode("1,2\n");
    const path = writeSmallGraph(smallGraphs.ogb, temporaryFolder(), {
      "ogb/raw/edge.csv": edges,
      "ogb/raw/num-edge-list.csv": null,
    });
    expect((await loadGraph(path)).graph.numNodes).toBe(5);
  });
  test("reads labels that are not a number as unknown", async () => {
    const labels = new TextEncoder().encode("0\nnan\n1\n\n1\nNaN\n");
    const path = writeSmallGraph(smallGraphs.ogb, temporaryFolder(), { "ogb/raw/node-label.csv": labels });
    expect([...(await loadGraph(path)).graph.labels]).toEqual([0, -1, 1, 1, -1]);
  });
});

describe("loadGraph on other layouts", () => {
  const half = (bits: number[], shape: number[]) =>
    bytesOf(formatNpyHeader("<f2", shape), new Uint8Array(Uint16Array.from(bits).buffer));
  const edgeIndex = formatNpy(BigInt64Array.of(0n, 1n, 0n, 1n, 2n, 1n), [2, 3]); // (0, 1) twice
  test("reads OGB's binary files, with half floats and unknown labels", async () => {
    const folder = temporaryFolder();
    const labels = formatNpy(Float32Array.of(1, Number.NaN, 0), [3, 1]);
    writeFiles(
      {
        "raw/data.npz": zipSync({ "edge_index.npy": edgeIndex, "node_feat.npy": half([0x3c00, 0, 0x4000], [3, 1]) }),
        "raw/node-label.npz": zipSync({ "node_label.npy": labels }),
      },
      folder,
    );
    const { graph, missingSplit } = await loadGraph(folder, { directed: true });
    expect(missingSplit).toBe(join(folder, "split/<kind>/train.csv.gz"));
    expect([...graph.adjacency.rowPtr, ...graph.adjacency.colIdx]).toEqual([0, 1, 2, 2, 1, 2]);
    expect([...graph.labels, ...storedFeatures(graph)]).toEqual([1, -1, 0, 1, 0, 2]);
  });
  test("reads the one archive of a folder", async () => {
    const folder = temporaryFolder();
    writeSmallGraph(smallGraphs["npz in zip"], folder);
    expect((await loadGraph(folder)).graph.numNodes).toBe(5);
  });
  test("reads a folder of plain .npy files", async () => {
    const folder = temporaryFolder();
    const { adjacency, features, labels } = generateShape(scaleShape(SHAPES.papers100M, 4e-6), 1);
    const { data, numRows, numCols } = features as DenseMatrix;
    const files = {
      "rowPtr.npy": formatNpy(BigInt64Array.from(adjacency.rowPtr, BigInt)),
      "colIdx.npy": formatNpy(adjacency.colIdx),
      "features.npy": formatNpy(data, [numRows, numCols]),
      "labels.npy": formatNpy(labels),
    };
    writeFiles(files, folder);
    const { graph } = await loadGraph(folder, { directed: true, allComponents: true });
    expect([graph.adjacency, graph.features, graph.labels]).toEqual([adjacency, features, labels]);
  });
  test("reads csv files of any name through the library", async () => {
    const folder = temporaryFolder();
    writeFiles({ "net.txt": bytesOf("0 1\n1 2\n"), "classes.txt": bytesOf("1\n0\n1\n") }, folder);
    const raw = await readCsvGraph({
      name: "net",
      edges: fileSource(join(folder, "net.txt")),
      labels: fileSource(join(folder, "classes.txt")),
    });
    expect([raw.adjacency.numRows, raw.features.numCols, ...raw.labels]).toEqual([3, 0, 1, 0, 1]);
  });
  test("counts the nodes of an edge list that comes alone", async () => {
    const folder = temporaryFolder();
    writeFiles({ "edges.csv": bytesOf("0,1\n1,4\n") }, folder);
    const { graph, ids } = await loadGraph(join(folder, "edges.csv"), { allComponents: true });
    expect(graph.numNodes).toBe(3);
    expect([...ids.idsOf([0, 1, 2]), graph.numClasses]).toEqual([0, 1, 4, 0]);
  });
});

describe("loadGraph on csv", () => {
  const load = (files: Readonly<Record<string, string | Uint8Array>>, path = "edges.csv") => {
    const folder = temporaryFolder();
    const bytes = Object.entries(files).map(([name, text]) => [name, typeof text === "string" ? bytesOf(text) : text]);
    writeFiles(Object.fromEntries(bytes), folder);
    return loadGraph(join(folder, path), { allComponents: true });
  };
  const mark = "\u{feff}";
  test("reads a byte order mark and every kind of line end", async () => {
    for (const end of ["\n", "\r\n", "\r"]) {
      const lines = (...rows: string[]) => new TextEncoder().encode(mark + rows.join(end) + end);
      const { graph } = await load({
        "edges.csv": lines("0,1", "1,2"),
        "features.csv": lines("1,0", "0,1", "1,1"),
        "labels.csv": lines("1", "0", "1"),
      });
      expect([graph.numNodes, graph.numEdges, graph.numFeatures, ...graph.labels]).toEqual([3, 2, 2, 1, 0, 1]);
    }
  });
  test("takes a line of usual names for a header, in any order of columns", async () => {
    const { graph, ids } = await load({
      "edges.csv": "target;source\n7;9\n9;8\n",
      "labels.csv": "label,id\n0,9\n1,7\n,8\n",
    });
    expect([ids.idsOf([0, 1, 2]), [...graph.labels], graph.numEdges]).toEqual([[9, 7, 8], [0, 1, -1], 2]);
  });
  test.each([
    [
      "a first line that is no header",
      { "edges.csv": "0,1x\n1,2\n" },
      'edges.csv: line 1: number expected, got "0", for line 2',
    ],
    ["a line of names above numbers", { "edges.csv": "foo,bar\n1,2\n" }, 'line 1: number expected, got "foo"'],
    ["a bad line later", { "edges.csv": "0,1\n1;x\n" }, 'edges.csv: line 2: number expected, got "x"'],
    [
      "a first label that is none",
      { "edges.csv": "0,1\n", "labels.csv": "garbage\n0\n1\n1\n" },
      'labels.csv: line 1: "garbage" is among numbers',
    ],
    [
      "a first feature that is none",
      { "edges.csv": "0,1\n", "features.csv": "x1,2\n1,2\n" },
      'features.csv: line 1: number expected, got "x1"',
    ],
    [
      "a header of another width",
      { "edges.csv": "0,1\n", "features.csv": "a,b,c\n1,2\n3,4\n" },
      "line 2 has 2 columns, must have 3",
    ],
    [
      "names without ids beside them",
      { "edges.csv": "ann,bob\n", "labels.csv": "0\n1\n" },
      "features and labels need a first column of ids",
    ],
    [
      "a label of an unknown node",
      { "edges.csv": "a,b\n", "features.csv": "a,1\nb,2\n", "labels.csv": "c,0\n" },
      "labels: node c is not among the nodes",
    ],
    [
      "an edge to an unknown node",
      { "edges.csv": "a,c\n", "features.csv": "a,0\nb,1\n" },
      'node "c" of edge 0 is not among the nodes',
    ],
    ["four columns", { "edges.csv": "0,1,2,3\n" }, "must have 2 columns, or 3 with weights, got 4"],
    ["bytes that are no text", { "edges.csv": Uint8Array.of(0x61, 0xff, 0x2c, 0x62) }, "must be text in UTF-8"],
  ])("refuses %s", async (_, files, message) => {
    await expect(load(files as Record<string, string>)).rejects.toThrow(message);
  });
  test("matches a file with ids and one without by the numbers of the nodes", async () => {
    const { graph, ids } = await load({
      "edges.csv": "0,1\n1,2\n",
      "features.csv": "10\n11\n12\n",
      "labels.csv": "id,label\n2,7\n0,5\n1,6\n",
    });
    expect([[...storedFeatures(graph)], [...graph.labels], ids.areNumbers]).toEqual([[10, 11, 12], [0, 1, 2], true]);
    const other = await load({
      "edges.csv": "0,1\n1,2\n",
      "features.csv": "id,height\n2,12\n0,10\n1,11\n",
      "labels.csv": "5\n6\n7\n",
    });
    expect([[...storedFeatures(other.graph)], [...other.graph.labels]]).toEqual([
      [10, 11, 12],
      [0, 1, 2],
    ]);
  });
  test("needs labels of some nodes only", async () => {
    const { graph, ids } = await load({ "edges.csv": "ann,bob\nbob,cy\n", "labels.csv": "cy,red\n" });
    expect([ids.idsOf([0, 1, 2]), [...graph.labels]]).toEqual([
      ["cy", "ann", "bob"],
      [0, -1, -1],
    ]);
  });
  test("wants the rows beside a matrix in its order", async () => {
    const matrix = "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n";
    const files = (labels: string) => ({ "adj.mtx": matrix, "labels.csv": labels });
    await expect(load(files("id,label\n2,7\n0,5\n1,6\n"), "adj.mtx")).rejects.toThrow(
      "adj.mtx: beside it, node 2 comes in row 0; sort features and labels as the matrix is sorted",
    );
    const { ids } = await load(files("id,label\nann,7\nbob,5\ncy,6\n"), "adj.mtx");
    expect(ids.idsOf([0, 1, 2])).toEqual(["ann", "bob", "cy"]);
  });
  test("reads nodes and classes that have names", async () => {
    const { graph, ids, classes } = await load({
      "edges.csv": 'ann,"bob, jr"\n"bob, jr",cy\n',
      "features.csv": 'id,height\ncy,3\nann,1\n"bob, jr",2\n',
      "labels.csv": 'ann,red\ncy,blue\n"bob, jr",red\n',
    });
    expect(ids.idsOf([0, 1, 2])).toEqual(["cy", "ann", "bob, jr"]);
    expect([[...graph.labels], classes, [...storedFeatures(graph)]]).toEqual([
      [0, 1, 1],
      ["blue", "red"],
      [3, 1, 2],
    ]);
    expect(hasEntry(graph.adjacency, 1, 2)).toBe(true);
  });
  test("reads edge lists of any name, with tabs or spaces, comments and large ids", async () => {
    const { graph, ids } = await load({ "net.txt": "# from to\n% more\n5000000000\t17\n17\t4\n" }, "net.txt");
    expect([graph.name, graph.numEdges, ids.idsOf([0, 1, 2])]).toEqual(["net", 2, [4, 17, 5000000000]]);
    const spaced = await load({ "net.edgelist": "0 1\n1  2\n", "net.labels.txt": "1\n0\n1\n" }, "net.edgelist");
    expect([spaced.graph.numEdges, ...spaced.graph.labels]).toEqual([2, 1, 0, 1]);
  });
  test("takes a third column for weights", async () => {
    await expect(load({ "edges.csv": "0,1,0.5\n1,2,1\n" })).rejects.toThrow("the edge from 0 to 1 has weight 0.5");
    expect((await load({ "edges.csv": "source,target,weight\n0,1,1\n1,2,0\n" })).graph.numEdges).toBe(1);
  });
});

describe("loadGraph by name", () => {
  test("lists the known names for an unknown one", async () => {
    await expect(loadGraph("cora-ml")).rejects.toThrow(/unknown dataset "cora-ml"; known are .*cora_ml.*a path/);
  });
  test("says how to get a known dataset that is not here", async () => {
    vi.stubEnv("RGNN_DATA", temporaryFolder());
    vi.stubEnv("XDG_CACHE_HOME", temporaryFolder());
    await expect(loadGraph("texas")).rejects.toThrow(/"texas" is not here.*rgnn data get texas/);
    vi.unstubAllEnvs();
  });
  test("refuses another graph under a known name", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "heterophilous"));
    const { pack, parts } = smallGraphs["npz edges"];
    writeFileSync(join(folder, "heterophilous", "texas.npz"), pack(parts)["small.npz"]);
    await expect(loadGraph("texas", { dataDir: folder })).rejects.toThrow(/numNodes is 5, but texas has 183/);
  });
  test("refuses a data folder that is not there", async () => {
    await expect(loadGraph("texas", { dataDir: "/no/such/folder" })).rejects.toThrow(
      "/no/such/folder: there is no such folder; --data-dir names a folder with datasets",
    );
  });
  test("never takes a file for a known dataset because of its name", async () => {
    const folder = temporaryFolder();
    const { pack, parts } = smallGraphs["npz with dots"];
    const nodes = (...of: number[]) => formatNpy(Int32Array.from(of));
    const split = { "idx_train.npy": nodes(0, 1), "idx_val.npy": nodes(2), "idx_test.npy": nodes(3, 4) };
    writeFileSync(join(folder, "citeseer.npz"), pack({ ...parts, ...split })["small.npz"]);
    const loaded = await loadGraph(join(folder, "citeseer.npz"));
    expect(loaded.graph.name).toBe(join(folder, "citeseer.npz"));
    expect([...splitSource(loaded).split(0).train]).toEqual([0, 1]);
  });
  realData("citeseer")("takes a file for a known dataset because of its content", async () => {
    const copy = join(temporaryFolder(), "copy.npz");
    copyFileSync(realPath("citeseer/citeseer.npz"), copy);
    expect((await loadGraph(copy)).graph.name).toBe("citeseer");
    expect((await loadGraph(realPath("pubmed/ind.pubmed"))).graph.name).toBe("pubmed");
    expect((await loadGraph(realPath("planetoid/ind.citeseer"))).graph.name).not.toBe("citeseer");
  });
  test("has the built-in graph without any file", async () => {
    const { graph } = await loadGraph("synthetic-citation");
    expect([graph.numNodes, graph.numClasses, graph.directed]).toEqual([2810, 7, false]);
  });
  test("says that the built-in graph has no directions", async () => {
    await expect(loadGraph("synthetic-citation", { directed: true })).rejects.toThrow(UserError);
  });
  for (const { name, files } of Object.values(catalogue)) {
    if (files.length === 0) continue;
    realData(name)(`loads ${name} with its published counts`, async () => {
      const { graph, splits } = await loadGraph(name); // compares with the catalogue
      expect(graph.numNodes).toBe(catalogue[name].undirected.numNodes);
      expect(splits !== undefined || catalogue[name].split === "random").toBe(true);
    });
  }
});

describe("the facts of Cora ML", () => {
  const coraMl = realData("cora_ml");
  coraMl("undirected: counts, degrees, homophily, class sizes", async () => {
    const { graph } = await loadGraph("cora_ml");
    expect([graph.numNodes, graph.numEntries, graph.numEdges]).toEqual([2810, 15962, 7981]);
    expect(degreeFacts(graph)).toEqual({ min: 1, max: 246, empty: 0 });
    expect(edgeHomophily(graph)).toBeCloseTo(0.7844, 4);
    expect(storedFeatures(graph).length).toBe(142286);
    expect(classSizes(graph)).toEqual([348, 393, 440, 407, 781, 150, 291]);
  });
  coraMl("directed: counts, degrees, rows without entries", async () => {
    const { graph } = await loadGraph("cora_ml", { directed: true });
    expect([graph.numNodes, graph.numEntries, graph.numEdges]).toEqual([2810, 8229, 8229]);
    expect(degreeFacts(graph)).toEqual({ min: 0, max: 72, empty: 285 });
  });
  coraMl("features are in [0.0118, 0.9341] and every row has norm 1", async () => {
    const { graph } = await loadGraph("cora_ml");
    const values = storedFeatures(graph);
    expect(values.reduce((a, b) => Math.min(a, b))).toBeCloseTo(0.0118, 4);
    expect(values.reduce((a, b) => Math.max(a, b))).toBeCloseTo(0.9341, 4);
    if (!isSparse(graph.features)) throw new Error("must be sparse");
    const { rowPtr } = graph.features;
    for (let i = 0; i < graph.numNodes; i++) {
      expect(Math.hypot(...values.subarray(rowPtr[i], rowPtr[i + 1]))).toBeCloseTo(1, 5);
    }
  });
});

describe("the facts of Citeseer", () => {
  const citeseer = realData("citeseer");
  citeseer("undirected: counts, degrees, homophily, class sizes", async () => {
    const { graph } = await loadGraph("citeseer");
    expect([graph.numNodes, graph.numEntries, graph.numEdges]).toEqual([2110, 7336, 3668]);
    expect(degreeFacts(graph)).toEqual({ min: 1, max: 99, empty: 0 });
    expect(edgeHomophily(graph)).toBeCloseTo(0.7364, 4);
    expect(storedFeatures(graph).length).toBe(67659);
    expect(classSizes(graph)).toEqual([115, 463, 388, 304, 532, 308]);
  });
  citeseer("directed: counts, degrees, rows without entries", async () => {
    const { graph } = await loadGraph("citeseer", { directed: true });
    expect([graph.numNodes, graph.numEntries, graph.numEdges]).toEqual([2110, 3705, 3705]);
    expect(degreeFacts(graph)).toEqual({ min: 0, max: 99, empty: 842 });
  });
  citeseer("features are 0 and 1", async () => {
    const { graph } = await loadGraph("citeseer");
    expect(new Set(storedFeatures(graph))).toEqual(new Set([1]));
  });
});

describe("raw counts of the files", () => {
  const arxiv = (file: string) => realPath(`ogbn_arxiv_partial/${file}`);
  realData("ogbn_arxiv_partial/node-label.csv.gz")("ogbn-arxiv has 169,343 labels of 40 classes", async () => {
    const path = arxiv("node-label.csv.gz");
    const labels = labelColumn(await readNumbers(fileSource(path)), path);
    expect([labels.length, new Set(labels).size, labels.reduce((a, b) => Math.max(a, b))]).toEqual([169343, 40, 39]);
  });
  realData("ogbn_arxiv_partial/ogbn-arxiv_task.npz")("ogbn-arxiv's public split is by year", async () => {
    const { data: years } = await readNumbers(fileSource(arxiv("node_year.csv.gz")));
    const npz = npzFrom(fileSource(arxiv("ogbn-arxiv_task.npz")));
    const sets = ["train", "val", "test"].map((set) => toInt32(npz.array(set), npz.where(set)));
    expect(sets.map((set) => set.length)).toEqual([90941, 29799, 48603]);
    expect(sets[1].every((node) => years[node] === 2018)).toBe(true);
  });
  realData("citeseer/citeseer.npz")("Citeseer has 124 self loops among 4,715 entries", () => {
    const { adjacency } = readNpzGraph(fileSource(realPath("citeseer/citeseer.npz")));
    let loops = 0;
    for (let i = 0; i < adjacency.numRows; i++) if (hasEntry(adjacency, i, i)) loops++;
    expect([adjacency.numRows, adjacency.colIdx.length, loops]).toEqual([3312, 4715, 124]);
  });
  realData("planetoid/ind.citeseer.graph")("Planetoid's Citeseer has 15 nodes without features and label", async () => {
    const { graph, splits } = await loadGraph(realPath("planetoid/ind.citeseer"), { allComponents: true });
    expect([graph.numNodes, graph.numEdges, graph.numFeatures, graph.numClasses]).toEqual([3327, 4552, 3703, 6]);
    expect(graph.labels.filter((label) => label === -1).length).toBe(15);
    expect(Object.values(splits!["public"]).map((set) => set.length)).toEqual([120, 500, 1000]);
  });
  realData("planetoid/ind.citeseer.graph")("Planetoid's Citeseer has a component of 2,120 nodes", async () => {
    const { graph } = await loadGraph(realPath("planetoid/ind.citeseer.graph"));
    expect([graph.numNodes, graph.numEdges]).toEqual([2120, 3679]);
  });
  realData("cora")("Planetoid's Cora is whole with its public split when all components are kept", async () => {
    const { graph, splits } = await loadGraph("cora", { allComponents: true });
    expect([graph.numNodes, graph.numEdges]).toEqual([2708, 5278]);
    expect(Object.values(splits!["public"]).map((set) => set.length)).toEqual([140, 500, 1000]);
  });
  realData("pubmed/ind.pubmed.graph")("PubMed's pickles and its npz hold the same graph", async () => {
    const [{ graph: pickled }, { graph: plain }] = await Promise.all([
      loadGraph(realPath("pubmed/ind.pubmed")),
      loadGraph(realPath("pubmed/pubmed.npz")),
    ]);
    expect(pickled.numEntries).toBe(88648);
    expect({ ...pickled, name: "" }).toEqual({ ...plain, name: "" });
  });
});
