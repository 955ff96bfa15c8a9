import { availableParallelism, cpus, loadavg } from "node:os";

/** Where numbers were measured; without it they mean nothing. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly node: string;
  /** Mean number of processes that wanted to run in the last minute: above 0 at the start, others disturb. */
  readonly load: number;
}

export function machine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    node: process.version,
    load: Number(loadavg()[0].toFixed(2)),
  };
}
