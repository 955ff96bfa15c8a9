import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseNpy } from "../data/formats/npy.ts";
import { generateShape } from "../graph/generate-shape.ts";
import type { DenseMatrix } from "../graph/graph.ts";
import { SHAPES, scaleShape } from "../graph/shapes.ts";
import { NpyWriter } from "./npy-writer.ts";
import { writeShape } from "./write-shape.ts";

const scale = 2e-5;
const graph = generateShape(scaleShape(SHAPES.papers100M, scale), 7);
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rgnn-shape-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function numbers(name: string): number[] {
  return Array.from(parseNpy(readFileSync(join(folder, "out", name)), name).data as ArrayLike<number | bigint>, Number);
}

describe("writeShape", () => {
  test("writes the graph generated in memory as .npy files, and no partial folder is left", () => {
    writeShape(join(folder, "out"), "papers100M", { seed: 7, scale, rowsPerChunk: 300 });
    expect(numbers("rowPtr.npy")).toEqual([...graph.adjacency.rowPtr]);
    expect(numbers("colIdx.npy")).toEqual([...graph.adjacency.colIdx]);
    expect(numbers("labels.npy")).toEqual([...graph.labels]);
    expect(numbers("features.npy")).toEqual([...(graph.features as DenseMatrix).data]);
    const header = parseNpy(readFileSync(join(folder, "out", "features.npy")), "features");
    expect([...header.shape]).toEqual([graph.numNodes, 128]);
    expect(readdirSync(folder)).toEqual(["out"]);
  });
});

describe("NpyWriter", () => {
  test("refuses to finish in the middle of a row", () => {
    const writer = new NpyWriter(join(folder, "broken.npy"), "<f4", [3]);
    writer.append(Float32Array.of(1, 2, 3, 4));
    expect(() => writer.finish()).toThrow("4 values do not make whole rows of shape (3)");
    writer.close();
    rmSync(join(folder, "broken.npy"));
  });
});
