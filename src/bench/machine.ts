import { availableParallelism, cpus, loadavg } from "node:os";

/** The machine on which numbers were measured; without it they mean nothing. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly node: string;
  /** Mean number of runnable processes in the last minute. If it is above 0 at the start, other work disturbs. */
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
