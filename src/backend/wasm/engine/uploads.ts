import type { Engine } from "./engine.ts";
import type { WasmBuffer } from "./memory.ts";

type Arrays = Readonly<Record<string, Int32Array | Float32Array | Float64Array>>;

/** Hands `use` the addresses of copies of these arrays, by name, and frees these afterwards, even if `use` throws. */
export function withUploads<A extends Arrays, T>(
  engine: Engine,
  arrays: A,
  use: (addresses: { readonly [name in keyof A]: number }) => T,
): T {
  const buffers: WasmBuffer[] = [];
  try {
    const addresses: Partial<Record<keyof A, number>> = {};
    for (const name in arrays) {
      const buffer = engine.heap.upload(arrays[name]);
      buffers.push(buffer);
      addresses[name] = buffer.address;
    }
    return use(addresses as Record<keyof A, number>);
  } finally {
    for (const buffer of buffers) engine.heap.free(buffer);
  }
}
