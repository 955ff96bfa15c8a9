import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";

/** Sets the first `length` elements to 0, and the rest of the last group of four. */
export function clear(gpu: Gpu, buffer: GpuBuffer, length: number): void {
  const quads = Math.ceil(length / 4);
  gpu.launch({
    shader: "fill",
    constants: { T: "vec4u" },
    bind: { out: buffer },
    params: { length: quads, bits: 0 },
    threads: quads,
  });
}
