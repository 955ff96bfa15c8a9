import type { TraceEntry } from "./attack.ts";
import { accuracyObjective } from "./objective.ts";
import type { Evaluation, Victim } from "./victim.ts";

/** An epoch as the trace shows it. */
export function traceEntry({ objective, attacked }: Victim, { loss, score }: Evaluation): TraceEntry {
  return { loss, score, accuracy: objective === accuracyObjective ? score / attacked.size : null };
}

/** What a progress line says of an epoch, seen on the relaxed graph or on the discrete one. */
export function progressNote(victim: Victim, score: number, graph: "relaxed" | "discrete"): string {
  const { objective, attacked } = victim;
  const seen =
    objective === accuracyObjective
      ? `accuracy ${(score / attacked.size).toFixed(4)}`
      : `score ${Number(score.toFixed(4))} (${objective.name})`;
  return `${graph} ${seen}${graph === "relaxed" ? "; the discrete one follows" : ""}`;
}
