import { ALIGNMENT, roundUp } from "./allocator.ts";
import type { Engine } from "./engine.ts";

/**
 * Hands `use` one workspace of `bytes` zeros per thread, as the arguments that kernels take them by: lock words, number,
 * address and stride.
 */
export function withWorkspaces<T>(engine: Engine, bytes: number, use: (workspaces: readonly number[]) => T): T {
  const { threads } = engine.pool;
  const stride = roundUp(bytes, ALIGNMENT);
  return engine.borrow("i32", threads, (locks, locksAt) => {
    engine.heap.values(locks).fill(0);
    return engine.borrow("f32", (threads * stride) / 4, (buffer, work) => {
      engine.heap.values(buffer).fill(0);
      return use([locksAt, threads, work, stride]);
    });
  });
}
