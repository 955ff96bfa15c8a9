import type { Sample } from "../statistics/sample.ts";
import type { Published } from "./published.ts";
import values from "./published-local.json" with { type: "json" };

/** What a published success rate measures. */
export interface PublishedRateKey {
  /** The table of success rates, or the comparison with SGA. */
  readonly table: "local" | "sga";
  readonly dataset: string;
  readonly attack: string;
  readonly epsilon: number;
  readonly model: string;
  readonly time: "evasion" | "poisoning";
}

/** Nodes that are attacked with each seed. */
export const NODES = 40;
/** Seeds of the published rates. */
const SEEDS = 3;

const byKey = new Map(values.map(({ mean, err, ...key }) => [text(key as PublishedRateKey), { mean, err }]));

/**
 * The share of nodes for which an attack succeeds, as *Robustness of Graph Neural Networks at Scale* reports it. The printed error
 * of the table `local` is √(p(1 − p))/120, not a standard error.
 */
export function publishedRate(key: PublishedRateKey): Published | undefined {
  return byKey.get(text(key));
}

/**
 * The sample of three seeds behind a published rate. Their spread was not printed: it is taken to be that of rates of
 * {@link NODES} nodes by chance, and at least one node of all.
 */
export function publishedRates({ mean }: Published): Sample {
  const byChance = Math.sqrt((mean * (1 - mean)) / NODES);
  return { mean, standardDeviation: Math.max(byChance, 1 / (NODES * SEEDS)), count: SEEDS };
}

function text({ table, dataset, attack, epsilon, model, time }: PublishedRateKey): string {
  return [table, dataset, attack, epsilon, model, time].join(" ");
}
