import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { EDGES, LABELS } from "../../../test/support/small-graph-files.ts";
import { loadGraph } from "../../files/load.ts";
import { hasEntry } from "../../graph/csr.ts";

const golden = (file: string) => join(import.meta.dirname, "../../../test/golden/torch", file);

describe("files of torch.save", () => {
  test.each(["data.pt", "processed.pt", "dict.pt"])("%s, as PyTorch Geometric wrote it, is read", async (file) => {
    const { graph, splits } = await loadGraph(golden(file));
    expect([graph.numNodes, graph.numEdges, graph.numFeatures, [...graph.labels]]).toEqual([5, 5, 3, LABELS]);
    for (let e = 0; e < EDGES.length; e += 2) expect(hasEntry(graph.adjacency, EDGES[e], EDGES[e + 1])).toBe(true);
    expect(splits).toEqual({
      public: { train: Int32Array.of(0, 1), val: Int32Array.of(2), test: Int32Array.of(3, 4) },
    });
  });
  test("with weights are refused, unless these may be ignored", async () => {
    await expect(loadGraph(golden("weighted.pt"))).rejects.toThrow("the edge from 1 to 2 has weight 0.5");
    expect((await loadGraph(golden("weighted.pt"), { ignoreWeights: true })).graph.numEdges).toBe(5);
  });
});
