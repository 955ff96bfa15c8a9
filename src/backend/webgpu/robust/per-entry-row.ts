import type { Gpu, Launch } from "../device/gpu.ts";
import { lanesFor } from "../shared/lanes.ts";

/** Most threads that share the entries of a row. */
const ENTRY_LANES = 32;

/** Launches a kernel on sparse rows, with LANES threads per row as in `entry-lanes.wgsl`. */
export function perEntryRow(
  gpu: Gpu,
  rows: number,
  kernel: Pick<Launch, "shader" | "constants" | "bind" | "params">,
): void {
  const { lanes, file } = lanesFor(gpu, ENTRY_LANES);
  gpu.launch({
    ...kernel,
    with: [file],
    constants: { ...kernel.constants, LANES: lanes },
    params: { ...kernel.params, rows },
    threads: rows * lanes,
  });
}
