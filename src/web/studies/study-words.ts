import type { RunCounts, StudySummary } from "../../serve/protocol.ts";
import { count } from "../words.ts";

/** What a study is doing, in a word. */
export function stateOf({ counts, isActive, wish, error }: StudySummary): string {
  if (error !== null) return "stopped";
  if (isActive) return "running";
  if (counts.running > 0) return "running elsewhere";
  if (counts.waiting === 0) return counts.failed > 0 ? "done, with failures" : "done";
  if (wish === "run") return "has its turn soon";
  if (wish === "pause") return "paused";
  return wish === "cancel" ? "cancelled" : "waiting to be started";
}

export function totalOf(counts: RunCounts): number {
  return counts.waiting + counts.running + counts.done + counts.failed;
}

export function countsText(counts: RunCounts): string {
  const parts = [`${count(counts.done)} of ${count(totalOf(counts))} runs done`];
  if (counts.running > 0) parts.push(`${count(counts.running)} running`);
  if (counts.failed > 0) parts.push(`${count(counts.failed)} failed`);
  return parts.join(", ");
}
