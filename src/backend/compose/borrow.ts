import type { Buffer, CoreKernels, DType } from "../backend.ts";

/** Lends a buffer to `use`, then frees it. Work that `use` launched may run later: launches keep their order. */
export function borrow(
  parts: Pick<CoreKernels, "alloc" | "free">,
  dtype: DType,
  length: number,
  use: (buffer: Buffer) => void,
): void {
  const buffer = parts.alloc(dtype, length);
  try {
    use(buffer);
  } finally {
    parts.free(buffer);
  }
}
