import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { formatNpy } from "../data/formats/npy.ts";
import { generateShape } from "../graph/generate-shape.ts";
import type { DenseMatrix } from "../graph/graph.ts";
import { rowsOfGraph } from "../graph/graph-rows.ts";
import { SHAPES, scaleShape } from "../graph/shapes.ts";
import { openNpyRows } from "./npy-rows.ts";

const shape = scaleShape(SHAPES.papers100M, 1e-5);

describe("openNpyRows", () => {
  test("answers like the same graph in memory", () => {
    const folder = temporaryFolder();
    const graph = generateShape(shape, 3);
    const { data, numRows, numCols } = graph.features as DenseMatrix;
    writeFileSync(join(folder, "rowPtr.npy"), formatNpy(BigInt64Array.from(graph.adjacency.rowPtr, BigInt)));
    writeFileSync(join(folder, "colIdx.npy"), formatNpy(graph.adjacency.colIdx));
    writeFileSync(join(folder, "features.npy"), formatNpy(data, [numRows, numCols]));
    const rows = openNpyRows(folder);
    const inMemory = rowsOfGraph(graph);
    expect(rows.numNodes).toBe(inMemory.numNodes);
    for (const v of [0, 5, 17, 5, rows.numNodes - 1]) {
      expect(rows.degree(v)).toBe(inMemory.degree(v));
      expect(rows.neighbours(v)).toEqual(inMemory.neighbours(v));
    }
    const nodes = Int32Array.of(9, 2, 9);
    expect(rows.features(nodes)).toEqual(inMemory.features(nodes));
    rows.close();
  });
  test("says which file is missing", () => {
    expect(() => openNpyRows(temporaryFolder())).toThrow(/rowPtr\.npy: cannot be opened \(ENOENT\)/);
  });
});
