import type { Failure } from "../experiment/runner/run-study.ts";
import type { Plan } from "../experiment/study/plan-study.ts";
import { runLabel } from "../experiment/study/run-label.ts";

/** Which runs of a plan failed, and why; nothing if none did. */
export function failureLines({ runs }: Plan, failed: readonly Failure[]): string[] {
  if (failed.length === 0) return [];
  const labels = new Map(runs.map(({ id, description }) => [id, runLabel(description)]));
  const lines = failed.map(({ run, error, attempts }) => `  ${labels.get(run)} (tried ${attempts} times): ${error}`);
  return [`${failed.length} failed:`, ...lines];
}
