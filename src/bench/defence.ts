import type { Backend } from "../backend/backend.ts";
import type { Progress } from "../core/progress.ts";
import { type AdaptiveResult, adaptiveCost } from "./adaptive-cost.ts";
import { type AggregationResult, aggregationCost } from "./aggregation-cost.ts";

export interface DefenceReport {
  readonly aggregation: AggregationResult;
  readonly adaptive: AdaptiveResult;
}

/** Measures the cost of robustness on any backend. Each part opens a new backend and closes it. */
export async function benchDefence(open: () => Promise<Backend>, progress: Progress): Promise<DefenceReport> {
  progress.update(0, 2, "Soft Median on the arxiv shape");
  const aggregation = await on(open, aggregationCost);
  progress.update(1, 2, "adaptive attack on the shape of Cora ML");
  return { aggregation, adaptive: await on(open, adaptiveCost) };
}

async function on<T>(open: () => Promise<Backend>, measure: (backend: Backend) => Promise<T>): Promise<T> {
  const backend = await open();
  return measure(backend).finally(() => backend.close());
}
