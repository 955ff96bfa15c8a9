const TYPES = [
  "Int8Array",
  "Uint8Array",
  "Int16Array",
  "Uint16Array",
  "Int32Array",
  "Uint32Array",
  "Float32Array",
  "Float64Array",
  "BigInt64Array",
  "BigUint64Array",
] as const;

/**
 * Runs `body` and returns the bytes of the typed arrays that were made by size (`new Float32Array(n)`) meanwhile. Memory
 * that is asked for but never touched shows up nowhere else: not in the resident size, not in the heap.
 */
export async function watchAllocations(body: () => Promise<unknown>): Promise<number> {
  const originals = TYPES.map((name) => globalThis[name]);
  let bytes = 0;
  for (const [i, name] of TYPES.entries()) {
    const watched: object = new Proxy(originals[i], {
      construct(target, args, newTarget): object {
        if (typeof args[0] === "number") bytes += args[0] * target.BYTES_PER_ELEMENT;
        return Reflect.construct(target, args, newTarget === watched ? target : newTarget);
      },
    });
    Object.assign(globalThis, { [name]: watched });
  }
  try {
    await body();
  } finally {
    for (const [i, name] of TYPES.entries()) Object.assign(globalThis, { [name]: originals[i] });
  }
  return bytes;
}
