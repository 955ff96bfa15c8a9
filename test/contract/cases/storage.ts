import { expect } from "vitest";
import { MemoryError, ShapeError } from "../../../src/core/errors.ts";
import type { Contract } from "../contract.ts";

export function storageCases(contract: Contract): void {
  contract.kernel("storage", ({ holds }) => {
    holds("reads back what was uploaded", async (side) => {
      expect([...(await side.backend.read(side.floats([1.5, -2, 0.25])))]).toEqual([1.5, -2, 0.25]);
      expect([...(await side.backend.read(side.ints([3, -1, 2 ** 31 - 1])))]).toEqual([3, -1, 2 ** 31 - 1]);
    });
    holds("keeps the type and the length, also of nothing at all", async (side) => {
      const empty = side.own(side.backend.alloc("i32", 0));
      expect([empty.dtype, empty.length]).toEqual(["i32", 0]);
      expect((await side.backend.read(empty)).length).toBe(0);
    });
    holds("copies what it uploads and what it reads", async (side) => {
      const data = Float32Array.of(1, 2);
      const buffer = side.own(side.backend.upload(data));
      data[0] = 9;
      (await side.backend.read(buffer))[1] = 9;
      expect([...(await side.backend.read(buffer))]).toEqual([1, 2]);
    });
    holds("overwrites the first elements only", async (side) => {
      const buffer = side.floats([1, 2, 3]);
      side.backend.write(buffer, Float32Array.of(7, 8));
      expect([...(await side.backend.read(buffer))]).toEqual([7, 8, 3]);
      expect(() => side.backend.write(buffer, new Float32Array(4))).toThrow(ShapeError);
    });
    holds("shows part of a buffer as a buffer that shares its values", async (side) => {
      const whole = side.floats(Array.from({ length: 200 }, (_, i) => i));
      const before = side.backend.memory.current;
      const part = side.backend.view(whole, 64, 100);
      expect(side.backend.memory.current).toBe(before);
      side.backend.affine({ out: part, a: 2, A: part });
      const values = await side.backend.read(whole);
      expect([values[63], values[64], values[163], values[164]]).toEqual([63, 128, 326, 164]);
      expect([...(await side.backend.read(part))].slice(0, 2)).toEqual([128, 130]);
      expect(() => side.backend.view(whole, 1, 2)).toThrow(/multiple of 64/);
      expect(() => side.backend.view(whole, 128, 100)).toThrow(ShapeError);
    });
    holds("counts four bytes per element and gives them back", async ({ backend }) => {
      const before = backend.memory.current;
      backend.memory.resetPeak();
      const buffers = [backend.alloc("f32", 10_000), backend.alloc("i32", 10_000)];
      const used = backend.memory.current - before;
      expect(used).toBeGreaterThanOrEqual(80_000);
      expect(used).toBeLessThan(82_000);
      for (const buffer of buffers) backend.free(buffer);
      expect(backend.memory.current).toBe(before);
      expect(backend.memory.peak - before).toBe(used);
    });
    holds("says that a buffer was freed, and which argument it was", (side) => {
      const { backend } = side;
      const freed = backend.upload(Float32Array.of(1, 2));
      backend.free(freed);
      expect(() => backend.copy(side.floats([0, 0]), freed)).toThrow(/copy: X was freed/);
      expect(() => backend.free(freed)).toThrow(/was freed/);
      expect(() => backend.write(freed, Float32Array.of(1))).toThrow(/was freed/);
    });
    holds("refuses what cannot fit", ({ backend }) => {
      expect(() => backend.alloc("f32", 2 ** 45)).toThrow(MemoryError);
    });
    holds("names the kernel, the argument and the lengths when a buffer is too short", (side) => {
      const size = { m: 2, n: 2, k: 3 };
      const run = () => side.backend.matmul(side.out(4), side.normal(6), side.normal(5), size);
      expect(run).toThrow(ShapeError);
      expect(run).toThrow(/matmul: B .*6.*5/);
    });
    holds("refuses integers where floats are due", (side) => {
      expect(() => side.backend.dot(side.out(1), side.ints([1]), null)).toThrow(/dot: A must be f32/);
      expect(() => side.backend.countEqual(side.out(1), side.ints([1]), side.floats([1]))).toThrow(
        /countEqual: B must be i32/,
      );
    });
  });
}
