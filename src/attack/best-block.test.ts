import { describe, expect, test } from "vitest";
import { attackCase } from "../../test/support/attack-case.ts";
import { valuesOf } from "../../test/support/dense.ts";
import { createReference } from "../backend/reference/reference.ts";
import { Rng } from "../core/rng.ts";
import { type Block, filled } from "../tensor/index.ts";
import { BestBlock } from "./best-block.ts";
import { sampleBlock } from "./block.ts";

const backend = createReference();

async function contents({ pairs, signs, weights }: Block) {
  const columns = [await backend.read(pairs.sources), await backend.read(pairs.targets)];
  return [...columns.map((column) => [...column]), await valuesOf(signs), await valuesOf(weights)];
}

describe("BestBlock", () => {
  test("restores the block of the lowest score, the first on ties, whatever became of it", async () => {
    const { view } = await attackCase(backend, 5);
    const best = new BestBlock(view);
    const blocks = [3, 2, 2, 4].map((score, t) => ({
      score,
      block: sampleBlock(view, 20, t / 10, "stratified", new Rng(t)),
    }));
    const expected = await contents(blocks[1].block);
    for (const { score, block } of blocks) {
      best.offer(filled(backend, [1], score), block);
      block.weights.assign(new Float64Array(20).fill(0.5));
    }
    const current = blocks.at(-1)!.block;
    best.restore(current);
    expect(await contents(current)).toEqual(expected);
  });

  test("restores a block that was released and disposed since, on a backend that moves and on one that copies", async () => {
    const copying = createReference({ fused: false });
    for (const on of [backend, copying]) {
      const { view } = await attackCase(on, 5);
      const best = new BestBlock(view);
      let expected: unknown;
      for (const [t, score] of [3, 1, 2].entries()) {
        const block = sampleBlock(view, 20, t / 10, "stratified", new Rng(t));
        if (t === 1) expected = await contents(block);
        best.offer(filled(on, [1], score), block);
        best.release(block);
        block.dispose();
      }
      const current = sampleBlock(view, 20, 0, "stratified", new Rng(9));
      best.restore(current);
      expect(await contents(current)).toEqual(expected);
    }
  });

  test("leaves a block alone if none was offered, and gives its memory back", async () => {
    const { view } = await attackCase(backend, 6);
    const block = sampleBlock(view, 10, 0.1, "stratified", new Rng(0));
    const before = backend.memory.current;
    const expected = await contents(block);
    const best = new BestBlock(view);
    best.restore(block);
    expect(await contents(block)).toEqual(expected);
    const score = filled(backend, [1], 1);
    best.offer(score, block);
    score.dispose();
    best.dispose();
    expect(backend.memory.current).toBe(before);
  });
});
