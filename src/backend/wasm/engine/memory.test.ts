import { describe, expect, test } from "vitest";
import { MemoryError } from "../../../core/errors.ts";
import { SharedHeap } from "./memory.ts";

describe("SharedHeap", () => {
  test("counts what is in use and what was in use at most", () => {
    const heap = new SharedHeap();
    const a = heap.alloc("f32", 16);
    const b = heap.alloc("f32", 17); // 64 and 68 bytes, in whole cache lines
    expect([heap.current, heap.peak]).toEqual([192, 192]);
    heap.free(b);
    expect([heap.current, heap.peak]).toEqual([64, 192]);
    heap.resetPeak();
    expect(heap.peak).toBe(64);
    heap.free(a);
    expect(heap.current).toBe(0);
  });
  test("says what was asked for and what is free when memory runs out", () => {
    const heap = new SharedHeap(33); // 2 MiB and a page for the kernels
    const kept = heap.alloc("f32", 131_072);
    const tooMuch = () => heap.alloc("f32", 524_288);
    expect(tooMuch).toThrow(MemoryError);
    expect(tooMuch).toThrow(
      "alloc: 524288 elements of f32 (2.0 MiB) asked for, 0.5 MiB in use, largest free block 1.4 MiB of 2.1 MiB; " +
        "free buffers or use a smaller size",
    );
    heap.free(kept);
    expect(heap.alloc("f32", 450_000).length).toBe(450_000);
  });
  test("asks for no more memory than the buffers need", () => {
    const heap = new SharedHeap();
    for (let i = 0; i < 100; i++) heap.free(heap.alloc("f32", 1 << 20));
    expect(heap.memory.buffer.byteLength).toBeLessThan(6 * 2 ** 20);
  });
  test("refuses a buffer that was freed, freed twice, or belongs elsewhere", () => {
    const heap = new SharedHeap();
    const buffer = heap.alloc("f32", 4);
    heap.free(buffer);
    expect(() => heap.read(buffer)).toThrow("read: buffer was freed");
    expect(() => heap.free(buffer)).toThrow("free: buffer was freed");
    expect(() => heap.read(new SharedHeap().alloc("f32", 4))).toThrow("is not a buffer of this wasm backend");
  });
  test("keeps values across growth", () => {
    const heap = new SharedHeap();
    const small = heap.upload(Float32Array.of(1, 2, 3));
    heap.alloc("f32", 1 << 22);
    expect([...heap.read(small)]).toEqual([1, 2, 3]);
  });
});
