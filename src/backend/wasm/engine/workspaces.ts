import { ALIGNMENT, roundUp } from "./allocator.ts";
import type { Engine } from "./engine.ts";

/** Words of a record before its locks, as `assembly/shared/workspaces.ts` reads them: number, stride, first and longest row. */
const HEADER = 4;

/** One workspace per thread, one behind the other in the shared memory. */
export interface Workspaces {
  /** Address of the record that describes the workspaces to kernels. */
  readonly record: number;
  readonly count: number;
  /** Address of the first workspace. */
  readonly first: number;
  /** Bytes from one workspace to the next. */
  readonly stride: number;
  free(): void;
}

/** What a workspace has room for: bytes, and the entries of the longest row if kernels gather rows in it. */
export interface WorkspaceSize {
  readonly bytes: number;
  readonly longestRow?: number;
}

/** Hands `use` one workspace of zeros per thread. */
export function withWorkspaces<T>(engine: Engine, size: WorkspaceSize, use: (workspaces: Workspaces) => T): T {
  const workspaces = openWorkspaces(engine, size);
  try {
    return use(workspaces);
  } finally {
    workspaces.free();
  }
}

/** Opens one workspace of zeros per thread; the caller frees them. */
export function openWorkspaces(engine: Engine, { bytes, longestRow = 0 }: WorkspaceSize): Workspaces {
  const count = engine.pool.threads;
  const stride = roundUp(Math.max(bytes, 1), ALIGNMENT);
  const recordBytes = roundUp(4 * (HEADER + count), ALIGNMENT);
  const buffer = engine.heap.alloc("i32", (recordBytes + count * stride) / 4);
  const record = buffer.address;
  const first = record + recordBytes;
  const words = engine.heap.values(buffer);
  words.fill(0);
  words.set([count, stride, first, longestRow]);
  return { record, count, first, stride, free: () => engine.heap.free(buffer) };
}
