import { ALIGNMENT, roundUp } from "./allocator.ts";
import type { Engine } from "./engine.ts";

/** What kernels take workspaces by: the address of a lock word for each, their number, address and stride in bytes. */
export type Workspaces = readonly [locks: number, slots: number, work: number, stride: number];

/**
 * Hands `use` one workspace of `bytes` zeros per thread.
 */
export function withWorkspaces<T>(engine: Engine, bytes: number, use: (workspaces: Workspaces) => T): T {
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
