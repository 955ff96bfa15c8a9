/** Most nodes of a graph on which a run has too little to do for a second thread. */
const SMALL_GRAPH = 20_000;

export interface WorkersWish {
  readonly cores: number;
  /** Works that can be done at the same time. */
  readonly works: number;
  /** Nodes of the largest graph. */
  readonly largestGraph: number;
  readonly devices: readonly string[];
  /** Memory that runs like these took, if any were measured before. */
  readonly bytesPerRun: number | null;
  readonly freeBytes: number;
}

/** Processes, and threads of each. */
export interface Workers {
  readonly workers: number;
  readonly threads: number;
}

/**
 * One process per core if all graphs are small, but no more than there are works or than fit into memory. A single
 * process with all cores for a large graph or a GPU.
 */
export function chooseWorkers(wish: WorkersWish): Workers {
  const { cores, works, largestGraph, devices, bytesPerRun, freeBytes } = wish;
  const isBig = largestGraph > SMALL_GRAPH || devices.includes("webgpu");
  const fitting = bytesPerRun ? Math.floor(freeBytes / bytesPerRun) : cores;
  const workers = isBig ? 1 : Math.max(1, Math.min(cores, works, fitting));
  return { workers, threads: Math.max(1, Math.floor(cores / workers)) };
}
