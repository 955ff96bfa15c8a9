import type { Hyperparameters } from "../../nn/models/model-kind.ts";
import type { Measurement } from "./measurement.ts";
import { type Published, published, tolerance } from "./published.ts";
import { type RunOptions, runMeasurements } from "./run-measurements.ts";
import type { ResultStore } from "./store.ts";
import type { Table, TableRow } from "./tables.ts";

/** A row of a table as it was measured here, beside the published one. */
export interface ReproducedRow {
  readonly dataset: string;
  readonly attack: string;
  readonly loss: string | null;
  readonly epsilon: number;
  readonly model: string;
  /** Hyperparameters that differ from the published ones. */
  readonly set: Hyperparameters;
  readonly values: readonly number[];
  readonly mean: number;
  /** Over the seeds, unbiased. */
  readonly deviation: number;
  readonly published: Published | null;
  /** `within` the noise of two three-seed means, `stronger` or `weaker` than published; of clean accuracy higher or lower. */
  readonly verdict: "within" | "stronger" | "weaker" | "higher" | "lower" | "unpublished";
}

/** Measures a table, or what is missing of it, and compares it with the published numbers. */
export async function reproduce(
  table: Pick<Table, "rows">,
  { datasets, seeds }: { datasets: readonly string[]; seeds: readonly number[] },
  store: ResultStore,
  options: RunOptions,
): Promise<ReproducedRow[]> {
  const rows = datasets.flatMap((dataset) => table.rows(dataset));
  const measurements = rows.flatMap((row) => measurementsOf(row, seeds));
  if (!options.stored) await runMeasurements(measurements, store, options);
  return rows.flatMap((row) => {
    const values = measurementsOf(row, seeds).flatMap((measurement) => store.get(measurement)?.value ?? []);
    return values.length > 0 ? [summarise(row, values)] : [];
  });
}

function measurementsOf(
  { published: { dataset, epsilon, model }, measure }: TableRow,
  seeds: readonly number[],
): Measurement[] {
  return seeds.map((seed) => ({ ...measure, dataset, seed, epsilon, victim: model }));
}

function summarise({ published: key, measure: { set = {} } }: TableRow, values: readonly number[]): ReproducedRow {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const deviation = values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : 0;
  const reference = (Object.keys(set).length === 0 && published(key)) || null;
  const { dataset, attack, loss, epsilon, model } = key;
  return {
    dataset,
    attack,
    loss,
    epsilon,
    model,
    set,
    values,
    mean,
    deviation,
    published: reference,
    verdict: judge(attack, mean, reference),
  };
}

function judge(attack: string, mean: number, reference: Published | null): ReproducedRow["verdict"] {
  if (!reference) return "unpublished";
  const difference = mean - reference.mean;
  if (Math.abs(difference) <= tolerance(reference)) return "within";
  if (attack === "none") return difference > 0 ? "higher" : "lower";
  return difference < 0 ? "stronger" : "weaker";
}
