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

/** Nodes behind each rate: 40 with each of three seeds. */
const PUBLISHED_NODES = 120;

const byKey = new Map(values.map(({ mean, err, ...key }) => [text(key as PublishedRateKey), { mean, err }]));

/**
 * The share of nodes for which an attack succeeds, as *Robustness of Graph Neural Networks at Scale* reports it. The printed error
 * of the table `local` is √(p(1 − p))/120, not a standard error.
 */
export function publishedRate(key: PublishedRateKey): Published | undefined {
  return byKey.get(text(key));
}

/**
 * How far a rate of `nodes` nodes may lie from a published one by chance: two standard errors of the difference, and never less than
 * .03.
 */
export function rateTolerance({ mean }: Published, nodes: number): number {
  return Math.max(0.03, 2 * Math.sqrt(mean * (1 - mean) * (1 / PUBLISHED_NODES + 1 / nodes)));
}

function text({ table, dataset, attack, epsilon, model, time }: PublishedRateKey): string {
  return [table, dataset, attack, epsilon, model, time].join(" ");
}
