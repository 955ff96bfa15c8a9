import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyGraph, randomGraph } from "../../test/support/any-graph.ts";
import { python, testWithNumpy } from "../../test/support/python.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { NodeIds } from "../data/node-ids.ts";
import { syntheticCitation } from "../data/synthetic/synthetic-citation.ts";
import { isSparse } from "../graph/graph.ts";
import { loadGraph } from "./load.ts";
import { writeGraph } from "./write-graph.ts";

describe("writeGraph", () => {
  test("writes what loadGraph reads back as it was, all components included, for any graph", async () => {
    const file = join(temporaryFolder(), "any.npz");
    await fc.assert(
      fc.asyncProperty(anyGraph, async (graph) => {
        await writeGraph(graph, file);
        const loaded = await loadGraph(file);
        expect({ ...loaded.graph, name: "" }).toEqual({ ...graph, name: "" });
        expect(loaded.ids.areNumbers).toBe(true);
        expect(loaded.notes).toEqual([]);
      }),
      { numRuns: 30, seed: 1 },
    );
  });
  test("keeps ids, names of classes and splits", async () => {
    const folder = temporaryFolder();
    const graph = randomGraph(6, 0.2, 3);
    const classes = ["left", "right", "neither"];
    const split = { train: Int32Array.of(1, 4), val: Int32Array.of(0), test: Int32Array.of(2, 3, 5) };
    const other = { train: Int32Array.of(0), val: Int32Array.of(5), test: Int32Array.of(1) };
    const names = NodeIds.of(["a", "b", "c", "é", "😀", "f"], "mine");
    await writeGraph(graph, join(folder, "one.npz"), { ids: names, classes, splits: { public: split } });
    const one = await loadGraph(join(folder, "one.npz"));
    expect(one.ids.idsOf([0, 3, 4])).toEqual(["a", "é", "😀"]);
    expect([one.classes, one.splits]).toEqual([classes, { public: split }]);
    const numbers = NodeIds.of([7, 2 ** 40, 9, 1, 3, 5], "mine");
    const splits = { "mask-0": split, "mask-1": other };
    await writeGraph(graph, join(folder, "two.npz"), { ids: numbers, splits });
    const two = await loadGraph(join(folder, "two.npz"));
    expect([two.ids.idsOf([0, 1, 5]), two.splits]).toEqual([[7, 2 ** 40, 5], splits]);
  });
  test("replaces a file only by a whole one", async () => {
    const file = join(temporaryFolder(), "graph.npz");
    writeFileSync(file, "before");
    const broken = { ...syntheticCitation(), labels: null } as never;
    await expect(writeGraph(broken, file)).rejects.toThrow();
    expect(readFileSync(file, "utf8")).toBe("before");
  });
  test("says where it cannot write", async () => {
    const file = join(temporaryFolder(), "taken");
    writeFileSync(file, "");
    await expect(writeGraph(syntheticCitation(), join(file, "g.npz"))).rejects.toThrow(
      /taken\/g.npz: cannot be written \(E/,
    );
  });
  testWithNumpy("writes what numpy and scipy read as the same matrices", async () => {
    const file = join(temporaryFolder(), "graph.npz");
    const graph = syntheticCitation();
    await writeGraph(graph, file);
    const program = `
import sys, numpy as np, scipy.sparse as sp
f = np.load(sys.argv[1], allow_pickle=False)
m = lambda n: sp.csr_matrix((f[n+'.data'], f[n+'.indices'], f[n+'.indptr']), shape=f[n+'.shape'])
A, X = m('adj_matrix'), m('attr_matrix')
assert A.has_canonical_format and X.has_canonical_format and (A != A.T).nnz == 0
print(*A.shape, A.nnz, *X.shape, X.nnz, f['labels'].sum(), A.indices.astype(int).sum(), '%.6f' % X.data.astype(float).sum())`;
    const { adjacency: A, features: X, labels } = graph;
    if (!isSparse(X)) throw new Error("must be sparse");
    const sum = (values: Iterable<number>) => [...values].reduce((a, b) => a + b, 0);
    const counts = [
      A.numRows,
      A.numCols,
      A.colIdx.length,
      X.numRows,
      X.numCols,
      X.colIdx.length,
      sum(labels),
      sum(A.colIdx),
    ];
    expect(python(program, file)).toBe([...counts, sum(X.values!).toFixed(6)].join(" "));
  });
});
