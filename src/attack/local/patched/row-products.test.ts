import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { randomTensor } from "../../../../test/support/random-tensor.ts";
import type { Backend } from "../../../backend/backend.ts";
import { createWasm } from "../../../backend/wasm/wasm.ts";
import { Rng } from "../../../core/rng.ts";
import { RowWeights } from "./row-products.ts";

describe("RowWeights", () => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await createWasm({ threads: 2 });
  });
  afterAll(() => backend.close());

  test("gives the same products on the host and on the device, and its memory back", async () => {
    const W = randomTensor(backend, [7, 5], 1);
    const onHost = await W.read();
    const here = new RowWeights(W, onHost);
    const there = new RowWeights(W, onHost, 0);
    const rng = new Rng(2);
    const rows = (width: number) => Float32Array.from({ length: 4 * width }, () => rng.normal());
    const before = backend.memory.current;
    for (const [X, way] of [
      [rows(7), "times"],
      [rows(5), "timesTransposed"],
    ] as const) {
      const expected = await here[way](X);
      const actual = await there[way](X);
      expect(expected.length).toBe(4 * (way === "times" ? 5 : 7));
      for (const [e, value] of expected.entries()) expect(actual[e]).toBeCloseTo(value, 5);
    }
    expect(backend.memory.current).toBe(before);
  });
});
