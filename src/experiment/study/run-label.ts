import { noiseText } from "../../graph/noise/noise-text.ts";
import { graphName } from "./graph-name.ts";
import type { AttackDescription, CellDescription, RunDescription } from "./run-description.ts";

/** A run in a few words, for lines of progress and errors. */
export function runLabel({ cell, seed }: RunDescription): string {
  const { graph, device } = cell;
  return `${graphName(graph)} seed ${seed}${device === "cpu" ? "" : ` on ${device}`}: ${whatOf(cell)}`;
}

/** An experiment in a few words. */
export function experimentLabel(cell: CellDescription): string {
  return `${graphName(cell.graph)}: ${whatOf(cell)}`;
}

function whatOf({ model, attack, time, quantity, certificate }: CellDescription): string {
  if (certificate) return `certificate of ${model.name} with noise (${noiseText(certificate)})`;
  const victim = `${time === "poisoning" ? "poisoned " : ""}${model.name}`;
  const measured = quantity === "accuracy" || quantity === "success-rate" ? "" : `${quantity} of `;
  return attack ? `${measured}${attackLabel(attack)} on ${victim}` : `${measured}${victim}`;
}

function attackLabel({ name, loss, epsilon, budget, surrogate, polish }: AttackDescription): string {
  const how = `${name}${loss === null ? "" : ` (${loss})`} ${epsilon === null ? `${budget} flips` : `ε ${epsilon}`}`;
  return `${how}${surrogate ? ` from ${surrogate.name}` : ""}${polish === undefined ? "" : ", polished,"}`;
}
