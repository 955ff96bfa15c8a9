import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { sharedFolder, temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { DataError } from "../../core/errors.ts";
import { generateShape } from "../../graph/generate-shape.ts";
import type { DenseMatrix, Graph } from "../../graph/graph.ts";
import { scaleShape, shapeNamed } from "../../graph/shapes.ts";
import { makeStore } from "./make-store.ts";
import { canMap } from "./mapped-file.ts";
import { openStore, type StoreAccess } from "./open-store.ts";

const shape = scaleShape(shapeNamed("papers100M"), 2e-5);
const ways: readonly StoreAccess[] = canMap() ? ["mapped", "read"] : ["read"];

describe.each(ways)("a graph store that is %s", (access) => {
  const folder = join(sharedFolder(), "graph.store");
  let graph: Graph;
  beforeAll(async () => {
    await makeStore(shape, folder, { features: "f32" });
    graph = generateShape(shape);
  });

  test("has the rows, degrees and features of the graph in memory", () => {
    const store = openStore(folder, { access });
    const { rowPtr, colIdx } = graph.adjacency;
    expect(store.access).toBe(access);
    expect(store.numNodes).toBe(graph.numNodes);
    for (let node = 0; node < graph.numNodes; node++) {
      expect(Array.from(store.neighbours(node))).toEqual([...colIdx.subarray(rowPtr[node], rowPtr[node + 1])]);
      expect(store.degree(node)).toBe(rowPtr[node + 1] - rowPtr[node]);
    }
    const nodes = Int32Array.from({ length: 300 }, (_, t) => (t * 97) % graph.numNodes);
    const { data, numCols } = graph.features as DenseMatrix;
    const expected = Array.from(nodes, (node) => [...data.subarray(node * numCols, (node + 1) * numCols)]);
    expect([...store.features(nodes).data]).toEqual(expected.flat());
    store.close();
  });

  test("has the labels and nodes of its split", () => {
    const store = openStore(folder, { access });
    const { train, val, test: rest } = store.split("public");
    for (const node of [...train, ...val, ...rest]) expect(store.labels([node])[0]).toBe(node % graph.numClasses);
    expect(() => store.split("own")).toThrow(/has no split "own"; it has public$/);
    store.close();
  });

  test("names a node that is not there", () => {
    const store = openStore(folder, { access });
    const beyond = graph.numNodes;
    for (const look of [
      () => store.degree(beyond),
      () => store.neighbours(beyond),
      () => store.labels([beyond]),
      () => store.features(Int32Array.of(beyond)),
    ]) {
      expect(look).toThrow(DataError);
      expect(look).toThrow(`node ${beyond} must be in 0 … ${beyond - 1}`);
    }
    store.close();
  });
});

describe("openStore", () => {
  test("shares the mappings of a store with another that is closed before it", () => {
    if (!canMap()) return;
    const folder = join(temporaryFolder(), "graph.store");
    return makeStore(shape, folder).then(() => {
      const store = openStore(folder);
      const other = openStore(folder, { mappings: store.mappings });
      expect([...other.neighbours(5)]).toEqual([...store.neighbours(5)]);
      const before = [...store.neighbours(7)];
      other.close();
      expect([...store.neighbours(7)]).toEqual(before);
      store.close();
    });
  });

  test("names a part that was cut off or that grew, and a header that was changed", async () => {
    const folder = join(temporaryFolder(), "graph.store");
    await makeStore(shape, folder);
    const columns = join(folder, "columns.i32");
    truncateSync(columns, 1000);
    expect(() => openStore(folder)).toThrow(/columns\.i32: has 1000 bytes where its header says \d+; it is cut off/);
    writeFileSync(join(folder, "store.json"), "{");
    expect(() => openStore(folder)).toThrow(/store\.json: is cut off or not JSON/);
  });
});
