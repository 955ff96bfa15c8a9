import { describe, expect, test } from "vitest";
import { attackCase } from "../../test/support/attack-case.ts";
import { createReference } from "../backend/reference/reference.ts";
import { Rng } from "../core/rng.ts";
import { hasEntry } from "../graph/csr.ts";
import type { Block } from "../tensor/index.ts";
import { blockOfFlips, resampleBlock, sampleBlock } from "./block.ts";

const FLOOR = 1e-7;

async function pairNames({ pairs }: Block, backend = createReference()): Promise<string[]> {
  const sources = await backend.read(pairs.sources);
  const targets = await backend.read(pairs.targets);
  return Array.from({ length: pairs.length }, (_, e) => `${sources[e]},${targets[e]}`);
}

describe.each(["stratified", "uniform"] as const)("a block drawn %s", (draw) => {
  test("holds different pairs, all at the floor, with a sign that tells edges from others", async () => {
    for (const directed of [false, true]) {
      const { view, graph } = await attackCase(createReference(), 2, { numNodes: 30, directed });
      const block = sampleBlock(view, 120, FLOOR, draw, new Rng(0));
      const names = await pairNames(block);
      expect(new Set(names).size).toBe(120);
      expect((await block.weights.read()).every((weight) => weight === FLOOR)).toBe(true);
      const signs = await block.signs.read();
      expect(new Set(signs)).toEqual(new Set([-1, 1]));
      for (const [e, name] of names.entries()) {
        const [i, j] = name.split(",").map(Number);
        expect(signs[e]).toBe(hasEntry(graph.adjacency, i!, j!) ? -1 : 1);
      }
    }
  });

  test("keeps its strong candidates when it is drawn again and replaces all at the floor", async () => {
    const { view } = await attackCase(createReference(), 3, { numNodes: 40 });
    const block = sampleBlock(view, 100, FLOOR, draw, new Rng(0));
    const weights = (await block.weights.read()).map((_, e) => (e % 5 === 0 ? 0.1 + e / 200 : FLOOR));
    block.weights.assign(weights);
    const before = await pairNames(block);
    const next = resampleBlock(view, block, FLOOR, draw, new Rng(1));
    const after = await pairNames(next);
    const kept = await next.weights.read();
    const strong = before.filter((_, e) => e % 5 === 0);
    for (const [k, name] of strong.entries()) expect(kept[after.indexOf(name)]).toBe(weights[5 * k]);
    const fresh = after.filter((name) => !before.includes(name));
    expect(fresh.length).toBeGreaterThan(60); // of 80; a few are drawn again by chance
    expect(new Set(after).size).toBe(100);
    expect([...kept].filter((weight) => weight === FLOOR).length).toBe(80);
  });

  test("drops the weaker half when more than half are in use", async () => {
    const { view } = await attackCase(createReference(), 4, { numNodes: 40 });
    const block = sampleBlock(view, 60, FLOOR, draw, new Rng(0));
    block.weights.assign((await block.weights.read()).map((_, e) => 0.1 + e / 100));
    const kept = await resampleBlock(view, block, FLOOR, draw, new Rng(1)).weights.read();
    expect([...kept].filter((weight) => weight > FLOOR).sort()).toEqual(
      Array.from({ length: 30 }, (_, k) => 0.1 + (k + 30) / 100).sort(),
    );
  });
});

test("a block of no flips is empty", async () => {
  const { view } = await attackCase(createReference(), 6);
  const block = blockOfFlips(view, { sources: new Int32Array(0), targets: new Int32Array(0) });
  expect(block.pairs.length).toBe(0);
  block.dispose();
});
