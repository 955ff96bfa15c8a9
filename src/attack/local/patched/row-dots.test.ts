import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { randomTensor } from "../../../../test/support/random-tensor.ts";
import type { Backend } from "../../../backend/backend.ts";
import { createWasm } from "../../../backend/wasm/wasm.ts";
import { Rng } from "../../../core/rng.ts";
import { RowDots } from "./row-dots.ts";

describe("RowDots", () => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await createWasm({ threads: 2 });
  });
  afterAll(() => backend.close());

  test("gives the same products on the host and on the device, and its memory back", async () => {
    const before = backend.memory.current;
    const V = randomTensor(backend, [9, 6], 1);
    const onHost = await V.read();
    const rng = new Rng(2);
    const G = Float32Array.from({ length: 2 * 6 }, () => rng.normal());
    const pairs = { first: Int32Array.of(0, 0, 1, 0), second: Int32Array.of(8, 0, 4, 7) };
    const expected = await new RowDots(onHost, 6, null).with(G, pairs);
    const there = new RowDots(onHost, 6, V, 0);
    const actual = await there.with(G, pairs);
    expect(expected.length).toBe(4);
    expect(expected[2]).toBeCloseTo(
      G.slice(6).reduce((sum, g, c) => sum + g * onHost[4 * 6 + c], 0),
      5,
    );
    for (const [e, dot] of expected.entries()) expect(actual[e]).toBeCloseTo(dot, 5);
    there.dispose();
    expect(backend.memory.current).toBe(before);
  });
});
