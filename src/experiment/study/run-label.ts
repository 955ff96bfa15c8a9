import type { RunDescription } from "./run-description.ts";

/** A run in a few words, for lines of progress and errors. */
export function runLabel({ cell, seed }: RunDescription): string {
  const { graph, model, attack, time, device } = cell;
  const where = `${graph.dataset} seed ${seed}${device === "cpu" ? "" : ` on ${device}`}`;
  if (!attack) return `${where}: ${model.name}`;
  const { name, loss, epsilon, budget, surrogate } = attack;
  const how = `${name}${loss === null ? "" : ` (${loss})`} ${epsilon === null ? `${budget} flips` : `ε ${epsilon}`}`;
  const from = surrogate ? ` from ${surrogate.name}` : "";
  return `${where}: ${how}${from} on ${time === "poisoning" ? "poisoned " : ""}${model.name}`;
}
