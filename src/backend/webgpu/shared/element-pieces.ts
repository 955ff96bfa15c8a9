import type { Gpu } from "../device/gpu.ts";

/** Splits the elements of buffers into as few pieces as possible that fit a binding each. */
export function elementPieces(gpu: Gpu, length: number, launch: (begin: number, count: number) => void): void {
  const step = elementsPerBinding(gpu);
  for (let begin = 0; begin < length; begin += step) launch(begin, Math.min(step, length - begin));
}

export function elementsPerBinding(gpu: Gpu): number {
  return gpu.heap.partBytes / 4;
}
