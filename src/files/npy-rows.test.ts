import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { generateShape } from "../graph/generate-shape.ts";
import { rowsOfGraph } from "../graph/graph-rows.ts";
import { SHAPES, scaleShape } from "../graph/shapes.ts";
import { openNpyRows } from "./npy-rows.ts";
import { writeShape } from "./write-shape.ts";

const shape = scaleShape(SHAPES.papers100M, 1e-5);

describe("openNpyRows", () => {
  test("answers like the same graph in memory", () => {
    const folder = join(temporaryFolder(), "graph");
    writeShape(folder, "papers100M", { seed: 3, scale: 1e-5 });
    const rows = openNpyRows(folder);
    const inMemory = rowsOfGraph(generateShape(shape, 3));
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
