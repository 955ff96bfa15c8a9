import type { KernelTime } from "../../backend/webgpu/device/kernel-times.ts";
import type { KernelResult } from "../../bench/kernels.ts";
import { left, right } from "../../experiment/table-column.ts";
import { formatTable } from "../table.ts";
import { milliseconds, percent } from "./units.ts";

export function kernelTable(kernels: readonly KernelResult[]): string {
  const columns = [left("kernel"), left("shape"), right("1 thread"), right("all"), right("best"), right("scaling")];
  columns.push(left("bound"), right("floor"), right("reached"));
  return formatTable(
    columns,
    kernels.map(({ kernel, shape, timings, scaling, bound, floor, ratio }) => [
      kernel,
      shape,
      milliseconds(timings[0].median),
      milliseconds(timings.at(-1)!.median),
      milliseconds(timings.at(-1)!.best),
      scaling.toFixed(2),
      bound,
      milliseconds(floor),
      percent(ratio),
    ]),
  );
}

/** The time of each kernel, by the clock of the device. */
export function clockTable(what: string, per: string, kernels: readonly KernelTime[]): string {
  return formatTable(
    [left(what), right("launches"), right(per)],
    kernels.map(({ kernel, launches, milliseconds: time }) => [kernel, launches.toFixed(1), milliseconds(time)]),
  );
}
