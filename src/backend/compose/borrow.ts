import type { Buffer, CoreKernels, DType } from "../backend.ts";

/** A buffer for one piece of work. Work launched before it goes back may still use it: launches keep their order. */
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
