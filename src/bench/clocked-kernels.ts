import type { KernelTime } from "../backend/webgpu/device/kernel-times.ts";
import type { OpenBackend } from "./bench-device.ts";

/** Kernels of a report: those that take longest. */
const LISTED = 20;

/**
 * The kernels of what `run` does, for each of `parts` equal parts of it, such as epochs; nothing where a device has no clock for them. Clocks slow a
 * run down, so that it is not the one that is timed.
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
