import type { KernelTime } from "../backend/webgpu/device/kernel-times.ts";
import type { OpenBackend } from "./bench-device.ts";

/** How many kernels a report lists: those that take longest. */
const LISTED = 20;

/**
 * Times of the kernels of `run`, divided by `parts`, the number of its equal parts such as epochs; nothing if the
 * device cannot clock kernels. Clocks slow a run down, so use another run than the timed one.
 */
export async function clockedKernels(
  { kernelTimes }: OpenBackend,
  parts: number,
  run: () => Promise<unknown>,
): Promise<{ readonly kernels?: readonly KernelTime[] }> {
  if (!kernelTimes) return {};
  const times = await kernelTimes(async () => void (await run()));
  const ofPart = ({ kernel, launches, milliseconds }: KernelTime) => {
    return { kernel, launches: launches / parts, milliseconds: milliseconds / parts };
  };
  return { kernels: times.slice(0, LISTED).map(ofPart) };
}
