import type { RunDetails } from "../../src/experiment/details/run-details.ts";
import type { FinishedRun } from "../../src/experiment/store/store.ts";
import type { CellDescription } from "../../src/experiment/study/run-description.ts";
import { cellOf, plannedRun } from "./any-runs.ts";

/** What a made-up run is; the rest is like that of real ones. */
export interface MadeRun {
  readonly model?: string;
  /** Null: the clean graph. */
  readonly attack?: string | null;
  readonly epsilon?: number;
  readonly seed?: number;
  readonly value: number;
  readonly clean?: number;
  readonly dataset?: string;
  /** On which flips are found; the model itself if left out. */
  readonly surrogate?: string;
  readonly classes?: readonly string[];
  /** False for a run of a version that kept no details. */
  readonly hasDetails?: boolean;
  readonly change?: (cell: CellDescription) => CellDescription;
}

/** A finished run with numbers that were chosen, as `rgnn run` would have kept it. */
export function madeRun(made: MadeRun): FinishedRun {
  const { model = "gcn", attack = "prbcd", epsilon = 0.1, seed = 0, value, clean = 0.8, dataset = "cora_ml" } = made;
  const named = cellOf({ model, attack: attack ?? "none", epsilon });
  const surrogate = made.surrogate === undefined ? null : { name: made.surrogate, hyperparameters: { dropout: 0.5 } };
  const cell: CellDescription = {
    ...named,
    graph: { ...named.graph, dataset },
    attack: attack === null ? null : { ...named.attack!, surrogate },
  };
  const run = plannedRun(made.change?.(cell) ?? cell, seed);
  const flips = { id: `${surrogate?.name ?? model} ${attack} ${epsilon} ${seed} ${dataset}`, added: 6, removed: 2 };
  const cost = { epochs: 2, seconds: 1.5, secondsPerEpoch: 0.75, peakBytes: 3 * 2 ** 20 };
  const details = detailsOf(attack !== null, made.classes ?? ["red", "green"]);
  return {
    ...run,
    finishedAt: Date.UTC(2026, 0, 2, 3, 4),
    outcome: {
      value,
      clean,
      seconds: 2,
      peakBytes: 2 ** 20,
      result: JSON.parse(
        JSON.stringify({
          ...(attack !== null && { flips, attack: cost }),
          split: { name: "per-class:20", train: 2, val: 2, test: 6, sha256: "cd" },
          facts: { version: "0.1.0", commit: null, node: "24.0.0", system: "linux", cpu: "Some CPU", cores: 2 },
          ...((made.hasDetails ?? true) && { details }),
        }),
      ),
    },
  };
}

function detailsOf(isAttacked: boolean, classes: readonly string[]): RunDetails {
  const counts = { nodes: [0, 4, 2], clean: [0, 3, 2], adversarial: isAttacked ? [0, 1, 2] : null };
  const byClass = { nodes: [3, 3], clean: [2, 3], adversarial: isAttacked ? [1, 2] : null };
  const flips = (count: number) => ({ count, byClass: [0, count, 0, 0], ends: [0, count, count], steps: [0, count] });
  return {
    graph: {
      numNodes: 10,
      numEdges: 20,
      numFeatures: 5,
      numClasses: classes.length,
      directed: false,
      classes,
      homophily: 0.75,
      degrees: [0, 4, 6],
    },
    targets: {
      margins: { width: 0.5, first: -1, before: [1, 2, 3], after: isAttacked ? [3, 2, 1] : null },
      boxes: { before: [-0.5, 0, 0.5, 1, 1.5], after: isAttacked ? [-0.5, -0.25, 0, 0.5, 1] : null },
      byDegree: counts,
      byClass,
    },
    training: {
      epochs: [0, 1, 2],
      trainLoss: [2, 1, 0.5],
      valLoss: [2, 1.5, 1.6],
      bestEpoch: 1,
      numEpochs: 3,
      seconds: 0.5,
    },
    flips: isAttacked ? { added: flips(6), removed: flips(2), homophily: 0.6, degrees: [0, 2, 8] } : null,
    attack: isAttacked ? { epochs: [0, 1], loss: [-1, 1], accuracy: [0.8, 0.5] } : null,
  };
}

/** Two models under two attacks with two budgets and three seeds: `strong` always leaves less, `sgc` always keeps more. */
export function madeStudy(changes: Partial<MadeRun> = {}): FinishedRun[] {
  const runs: FinishedRun[] = [];
  for (const seed of [0, 1, 2]) {
    for (const [model, kept] of [
      ["gcn", 0],
      ["sgc", 0.1],
    ] as const) {
      runs.push(madeRun({ model, seed, attack: null, value: 0.8 + seed / 100, clean: 0.8 + seed / 100, ...changes }));
      for (const [attack, left] of [
        ["strong", 0.5],
        ["weak", 0.7],
      ] as const) {
        for (const epsilon of [0.05, 0.1]) {
          const value = left + kept - epsilon + seed / 100 + (kept > 0 && seed === 1 ? 0.01 : 0);
          runs.push(madeRun({ model, attack, epsilon, seed, value, clean: 0.8 + seed / 100, ...changes }));
        }
      }
    }
  }
  return runs;
}
