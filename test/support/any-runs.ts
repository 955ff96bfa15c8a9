import type { PlannedRun, RunOutcome } from "../../src/experiment/store/store.ts";
import { type CellDescription, type RunDescription, runId } from "../../src/experiment/study/run-description.ts";

/** A cell like those of real studies. */
export function cellOf(
  changes: { model?: string; attack?: string; epsilon?: number; device?: string } = {},
): CellDescription {
  const { model = "gcn", attack = "prbcd", epsilon = 0.1, device = "cpu" } = changes;
  return {
    graph: { dataset: "cora_ml", sha256: "ab" },
    split: null,
    model: { name: model, hyperparameters: { dropout: 0.5 } },
    attack: {
      name: attack,
      options: {},
      loss: "tanh-margin",
      objective: "accuracy",
      epsilon,
      budget: Math.round(7981 * epsilon),
      surrogate: null,
    },
    time: "evasion",
    nodes: "test",
    quantity: "accuracy",
    device,
    code: { training: "t", attack: "a" },
  };
}

/** A run of a cell; each seed is a batch of its own unless told otherwise. */
export function plannedRun(
  cell: CellDescription,
  seed: number,
  of: { work?: string; batch?: string } = {},
): PlannedRun {
  const description = { cell, seed, splitHash: `split${seed}` };
  const id = runId(description);
  return { id, description, work: of.work ?? id, batch: of.batch ?? `batch${seed}` };
}

export function outcomeOf(value: number, clean = 0.8): RunOutcome {
  return { value, clean, seconds: 2, peakBytes: 1000, result: { accuracy: { clean, adversarial: value } } };
}

/** A result that depends on the run alone. */
export function instantOutcome(run: RunDescription): RunOutcome {
  return outcomeOf(Number.parseInt(runId(run).slice(0, 8), 16) / 2 ** 32);
}
