import type { Gpu } from "../device/gpu.ts";

/** Works through the elements of buffers, in as few pieces as fit a binding. */
export function elementPieces(gpu: Gpu, length: number, launch: (begin: number, count: number) => void): void {
  const step = elementsPerBinding(gpu);
  for (let begin = 0; begin < length; begin += step) launch(begin, Math.min(step, length - begin));
}

export function elementsPerBinding(gpu: Gpu): number {
  return gpu.heap.partBytes / 4;
}
