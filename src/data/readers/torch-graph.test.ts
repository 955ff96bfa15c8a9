import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { EDGES, LABELS } from "../../../test/support/small-graph-files.ts";
import { DataError } from "../../core/errors.ts";
import { loadGraph } from "../../files/load.ts";
import { hasEntry } from "../../graph/csr.ts";
import { bytesSource } from "../formats/byte-source.ts";
import { formatTorchFile } from "../writers/torch-file.ts";
import { readTorchGraph } from "./torch-graph.ts";

const golden = (file: string) => join(import.meta.dirname, "../../../test/golden/torch", file);

/** Three nodes with two splits, of which all have this test mask. */
function masked(test: { data: Uint8Array; shape: number[] }) {
  const bytes = formatTorchFile({
    x: { data: new Float32Array(3), shape: [3, 1] },
    edge_index: { data: BigInt64Array.of(0n, 1n), shape: [2, 1] },
    train_mask: { data: Uint8Array.of(1, 0, 0, 1, 0, 0), shape: [3, 2] },
    val_mask: { data: Uint8Array.of(0, 1, 1, 0, 0, 0), shape: [3, 2] },
    test_mask: test,
  });
  return bytesSource(bytes, "masks.pt");
}

describe("files of torch.save", () => {
  test.each(["data.pt", "processed.pt", "dict.pt"])("%s, as PyTorch Geometric wrote it, is read", async (file) => {
    const { graph, splits } = await loadGraph(golden(file));
    expect([graph.numNodes, graph.numEdges, graph.numFeatures, [...graph.labels]]).toEqual([5, 5, 3, LABELS]);
    for (let e = 0; e < EDGES.length; e += 2) expect(hasEntry(graph.adjacency, EDGES[e], EDGES[e + 1])).toBe(true);
    expect(splits).toEqual({
      public: { train: Int32Array.of(0, 1), val: Int32Array.of(2), test: Int32Array.of(3, 4) },
    });
  });
  test("have as many splits as the mask with most columns; one with a single column belongs to all", () => {
    const { splits } = readTorchGraph(masked({ data: Uint8Array.of(0, 0, 1), shape: [3] }));
    expect(splits).toEqual({
      "mask-0": { train: Int32Array.of(0), val: Int32Array.of(1), test: Int32Array.of(2) },
      "mask-1": { train: Int32Array.of(1), val: Int32Array.of(0), test: Int32Array.of(2) },
    });
    expect(() => readTorchGraph(masked({ data: new Uint8Array(9), shape: [3, 3] }))).toThrow(
      "masks must have as many columns as each other, or one; got 2, 2, 3",
    );
  });
  test("without a tensor of edges are refused", () => {
    const none = formatTorchFile({ x: { data: new Float32Array(3), shape: [3, 1] } });
    expect(() => readTorchGraph(bytesSource(none, "none.pt"))).toThrow(DataError);
  });
  test("with weights are refused, unless these may be ignored", async () => {
    await expect(loadGraph(golden("weighted.pt"))).rejects.toThrow("the edge from 1 to 2 has weight 0.5");
    expect((await loadGraph(golden("weighted.pt"), { ignoreWeights: true })).graph.numEdges).toBe(5);
  });
});
