import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { randomGraph } from "../../test/support/any-graph.ts";
import { smallGraphs, writeSmallGraph } from "../../test/support/small-graph-files.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { NodeIds } from "../data/node-ids.ts";
import { isSparse } from "../graph/graph.ts";
import { convertGraph } from "./convert-graph.ts";
import { loadGraph } from "./load.ts";
import { writeGraph } from "./write-graph.ts";

const TARGETS = ["to.npz", "to.pyg.npz", "to.pt", "to.graphml", "to.json", "to.mtx", "to.csv", "to.parquet", "to/"];

/** What a graph says, by the ids of its nodes, whatever their order and however features are stored. */
async function facts(path: string) {
  const { graph, ids, classes, splits } = await loadGraph(path, { allComponents: true });
  const { features } = graph;
  const row = (node: number) => {
    const dense = new Array<number>(features.numCols).fill(0);
    for (let j = 0; j < features.numCols; j++)
      if (!isSparse(features)) dense[j] = features.data[node * features.numCols + j];
    if (isSparse(features))
      for (let e = features.rowPtr[node]; e < features.rowPtr[node + 1]; e++)
        dense[features.colIdx[e]] = features.values![e];
    return dense;
  };
  const nodes = Array.from({ length: graph.numNodes }, (_, node) => node);
  const { rowPtr, colIdx } = graph.adjacency;
  const split = splits?.["public"];
  return {
    nodes: Object.fromEntries(nodes.map((node) => [ids.idOf(node), [classes[graph.labels[node]] ?? null, row(node)]])),
    edges: nodes.map((node) => [ids.idOf(node), ids.idsOf(colIdx.subarray(rowPtr[node], rowPtr[node + 1])).sort()]),
    split: split && [split.train, split.val, split.test].map((set) => ids.idsOf(set)),
  };
}

describe("convertGraph", () => {
  test.each(TARGETS)("writes %s, which holds the same graph", async (target) => {
    const folder = temporaryFolder();
    const from = writeSmallGraph(smallGraphs["torch file"], folder);
    const { files, notes } = await convertGraph(from, join(folder, target));
    expect(notes).toEqual([]);
    expect(await facts(files[0])).toEqual(await facts(from));
  });
  test.each(TARGETS.filter((target) => target !== "to.pt"))(
    "keeps the names of nodes and classes in %s",
    async (target) => {
      const folder = temporaryFolder();
      const from = join(folder, "from.npz");
      const ids = NodeIds.of(["ann", "bob, jr", '"cy" <&>', "d d", "é", "7"], "mine");
      await writeGraph(randomGraph(6, 0.5, 3), from, { ids, classes: ["red", "green & blue", 'say "x"'] });
      const { files } = await convertGraph(from, join(folder, target));
      expect(await facts(files[0])).toEqual(await facts(from));
    },
  );
  test("keeps ids that are numbers in .pt, and says that names are not kept", async () => {
    const folder = temporaryFolder();
    const numbered = NodeIds.of([9, 7, 5], "mine");
    const graph = randomGraph(3, 0.9, 3);
    await writeGraph(graph, join(folder, "a.npz"), { ids: numbered });
    await convertGraph(join(folder, "a.npz"), join(folder, "a.pt"));
    expect((await loadGraph(join(folder, "a.pt"))).ids.idsOf([0, 1, 2])).toEqual([9, 7, 5]);
    await writeGraph(graph, join(folder, "b.npz"), { ids: NodeIds.of(["a", "b", "c"], "mine") });
    const { notes } = await convertGraph(join(folder, "b.npz"), join(folder, "b.pt"));
    expect(notes).toEqual([`${join(folder, "b.pt")}: keeps no names of nodes`]);
  });
  test("says which formats it writes, and which files it can read", async () => {
    const folder = temporaryFolder();
    const from = writeSmallGraph(smallGraphs.csv, folder);
    await expect(convertGraph(from, join(folder, "to.gml"))).rejects.toThrow(
      "this format is not written; it can be .npz,",
    );
    writeFileSync(join(folder, "graph.gexf"), "");
    await expect(loadGraph(join(folder, "graph.gexf"))).rejects.toThrow(
      "graph.gexf: a file that ends in .gexf is not read; it can be an edge list (.csv, .tsv,",
    );
  });
});
