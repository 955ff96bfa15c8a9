import type { AttackResult, AttackTask } from "../attack/attack.ts";
import { edgeBudget } from "../attack/budget.ts";
import { grbcd } from "../attack/grbcd.ts";
import { prbcd } from "../attack/prbcd.ts";
import { createWasm } from "../backend/wasm/wasm.ts";
import type { Progress } from "../core/progress.ts";
import { Rng } from "../core/rng.ts";
import type { Model } from "../nn/model.ts";
import { train, trainDefaults } from "../nn/train.ts";
import { type DeviceGraph, toDevice } from "../tensor/index.ts";
import { measureCeilings } from "./ceilings.ts";
import { countingBackend, floorSeconds } from "./counting-backend.ts";
import { arxivCase, caseModel, caseSplit, coraCase, type EpochCase, halfArxivCase, pubmedCase } from "./epoch-case.ts";
import { EpochTimer, WARM_UP } from "./epoch-timer.ts";
import type { EpochReport, EpochResult } from "./train.ts";

const CASES: [EpochCase, number[], epochs: number][] = [
  [coraCase, [1_000_000], 40],
  [pubmedCase, [2_500_000], 10],
  [halfArxivCase, [1_000_000], 5],
  [arxivCase, [250_000, 1_000_000, 10_000_000], 5],
];

const ATTACKS: Record<
  string,
  (model: Model, view: DeviceGraph, task: AttackTask, block: number, epochs: number) => Promise<AttackResult>
> = {
  prbcd: (model, view, task, blockSize, epochs) =>
    prbcd(model, view, task, { blockSize, epochs, fineTuneEpochs: 1, samples: 1 }),
  grbcd: (model, view, task, blockSize, epochs) => grbcd(model, view, task, { blockSize, epochs }),
};

/** Times epochs of PR-BCD and GR-BCD on graphs of known shapes, at a budget of a hundredth of the edges. */
export async function benchAttack(threads: number, progress: Progress): Promise<EpochReport> {
  const ceilings = await measureCeilings(threads);
  const epochs: EpochResult[] = [];
  for (const [i, [epochCase, blocks, count]] of CASES.entries()) {
    const { backend, needs } = countingBackend(await createWasm({ threads }));
    const graph = epochCase.graph();
    const view = toDevice(backend, graph);
    const model = caseModel(backend, graph, epochCase);
    const { train: nodes, val, test } = caseSplit(graph);
    await train(model, view, { train: nodes, val, rng: new Rng(1) }, { ...trainDefaults, maxEpochs: 10 });
    const task = { nodes: test, budget: edgeBudget(graph, 0.01) };
    for (const [name, attack] of Object.entries(ATTACKS)) {
      for (const block of blocks) {
        progress.update(i, CASES.length, `${name} on ${epochCase.name}, ${block} pairs`);
        const timer = new EpochTimer(needs);
        const result = await attack(model, view, { ...task, rng: new Rng(2), progress: timer }, block, count + WARM_UP);
        const { seconds, needs: perEpoch } = timer.perEpoch(count);
        epochs.push(
          summary(
            epochCase.name,
            `${name} ${block.toExponential(1)}`,
            seconds,
            floorSeconds(perEpoch, ceilings),
            result,
          ),
        );
      }
    }
    await backend.close();
  }
  return { ceilings, epochs };
}

function summary(
  shape: string,
  what: string,
  secondsPerEpoch: number,
  floor: number,
  { accuracy, cost }: AttackResult,
): EpochResult {
  const check = `accuracy ${accuracy.clean.toFixed(3)} to ${accuracy.adversarial.toFixed(3)}`;
  return { shape, what, secondsPerEpoch, floor, ratio: floor / secondsPerEpoch, peakBytes: cost.peakBytes, check };
}
