import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ALIGNMENT, Allocator } from "./allocator.ts";

const BASE = 1024;
const always = () => true;

describe("Allocator", () => {
  test("reuses what was given back instead of growing", () => {
    const allocator = new Allocator(BASE, 1 << 20, always);
    const first = allocator.take(256)!;
    allocator.take(64);
    allocator.give(first, 256);
    expect(allocator.take(192)).toBe(first);
    expect(allocator.take(64)).toBe(first + 192);
    expect(allocator.extent).toBe(320);
  });
  test("takes the smallest hole that is large enough", () => {
    const allocator = new Allocator(BASE, 1 << 20, always);
    const [large, , small] = [allocator.take(512)!, allocator.take(64), allocator.take(128)!, allocator.take(64)];
    allocator.give(large, 512);
    allocator.give(small, 128);
    expect(allocator.take(128)).toBe(small);
  });
  test("says no at the limit and when the memory cannot grow", () => {
    expect(new Allocator(BASE, BASE + 128, always).take(192)).toBeNull();
    expect(new Allocator(BASE, 1 << 20, () => false).take(64)).toBeNull();
  });
  test("knows the largest block that is left", () => {
    const allocator = new Allocator(BASE, BASE + 1024, always);
    const first = allocator.take(640)!;
    allocator.take(128);
    expect(allocator.largest).toBe(256);
    allocator.give(first, 640);
    expect(allocator.largest).toBe(640);
  });
  test("never hands out overlapping blocks, and all memory comes back as one hole", () => {
    const step = fc.record({ size: fc.integer({ min: 1, max: 40 }), victim: fc.nat(), free: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const allocator = new Allocator(BASE, 1 << 30, always);
        const live = new Map<number, number>();
        const give = (start: number) => {
          allocator.give(start, live.get(start)!);
          live.delete(start);
        };
        for (const { size, victim, free } of steps) {
          if (free && live.size > 0) give([...live.keys()][victim % live.size]);
          else live.set(allocator.take(size * ALIGNMENT)!, size * ALIGNMENT);
          const sorted = [...live].sort(([a], [b]) => a - b);
          for (const [at, [start, bytes]] of sorted.entries()) {
            expect(start).toBeGreaterThanOrEqual(BASE);
            expect(start % ALIGNMENT).toBe(0);
            if (at + 1 < sorted.length) expect(start + bytes).toBeLessThanOrEqual(sorted[at + 1][0]);
          }
        }
        for (const start of [...live.keys()]) give(start);
        const { extent } = allocator;
        if (extent > 0) expect(allocator.take(extent)).toBe(BASE);
        expect(allocator.extent).toBe(extent);
      }),
    );
  });
  test("does not grow over 10,000 rounds of the same work", () => {
    const allocator = new Allocator(BASE, 1 << 30, always);
    const sizes = [64, 4096, 640, 128, 1 << 16, 64];
    const round = () => sizes.map((size) => ({ start: allocator.take(size)!, size }));
    for (const { start, size } of round()) allocator.give(start, size);
    const { extent } = allocator;
    for (let i = 0; i < 10_000; i++) for (const { start, size } of round().reverse()) allocator.give(start, size);
    expect(allocator.extent).toBe(extent);
  });
});
