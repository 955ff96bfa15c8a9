import type { Engine } from "./engine.ts";
import type { WasmBuffer } from "./memory.ts";

/** Hands `use` the addresses of copies of these arrays and frees them afterwards, whatever happens. */
export function withUploads<T>(
  engine: Engine,
  arrays: readonly (Int32Array | Float32Array | Float64Array)[],
  use: (addresses: readonly number[]) => T,
): T {
  const buffers: WasmBuffer[] = [];
  try {
    for (const array of arrays) buffers.push(engine.heap.upload(array));
    return use(buffers.map(({ address }) => address));
  } finally {
    for (const buffer of buffers) engine.heap.free(buffer);
  }
}
