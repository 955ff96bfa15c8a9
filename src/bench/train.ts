import { createWasm } from "../backend/wasm/wasm.ts";
import type { Progress } from "../core/progress.ts";
import { Rng } from "../core/rng.ts";
import { evaluate } from "../nn/evaluate.ts";
import { train, trainDefaults } from "../nn/train.ts";
import { toDevice } from "../tensor/index.ts";
import { type Ceilings, measureCeilings } from "./ceilings.ts";
import { countingBackend, floorSeconds } from "./counting-backend.ts";
import { arxivCase, caseModel, caseSplit, coraCase, type EpochCase, pubmedCase } from "./epoch-case.ts";
import { EpochTimer, RUN_OUT, WARM_UP } from "./epoch-timer.ts";

/** Seconds per epoch beside the least that its products take. */
export interface EpochResult {
  readonly shape: string;
  readonly what: string;
  readonly secondsPerEpoch: number;
  readonly floor: number;
  /** floor / time: 1 would be the ceiling itself. */
  readonly ratio: number;
  readonly peakBytes: number;
  /** What shows that the run did its work. */
  readonly check: string;
}

export interface EpochReport {
  readonly ceilings: Ceilings;
  readonly epochs: EpochResult[];
}

/** Times training epochs of a GCN on graphs of known shapes. */
export async function benchTrain(threads: number, progress: Progress): Promise<EpochReport> {
  const cases: [EpochCase, number][] = [
    [coraCase, 200],
    [pubmedCase, 30],
    [arxivCase, 5],
  ];
  const ceilings = await measureCeilings(threads);
  const epochs: EpochResult[] = [];
  for (const [i, [epochCase, count]] of cases.entries()) {
    progress.update(i, cases.length, `train on ${epochCase.name}`);
    epochs.push(await trainingEpochs(epochCase, count, threads, ceilings));
  }
  return { ceilings, epochs };
}

async function trainingEpochs(
  epochCase: EpochCase,
  count: number,
  threads: number,
  ceilings: Ceilings,
): Promise<EpochResult> {
  const { backend, needs } = countingBackend(await createWasm({ threads }));
  const graph = epochCase.graph();
  const view = toDevice(backend, graph);
  const model = caseModel(backend, graph, epochCase);
  const { train: nodes, val, test } = caseSplit(graph);
  const timer = new EpochTimer(needs);
  const config = { ...trainDefaults, maxEpochs: WARM_UP + count + RUN_OUT };
  const { trainLoss } = await train(model, view, { train: nodes, val, rng: new Rng(1) }, config, { progress: timer });
  const { seconds, needs: perEpoch } = timer.perEpoch(count);
  const floor = floorSeconds(perEpoch, ceilings);
  const accuracy = await evaluate(model, view, test);
  const { peak } = backend.memory;
  await backend.close();
  return {
    ...{
      shape: epochCase.name,
      what: `${count} epochs`,
      secondsPerEpoch: seconds,
      floor,
      ratio: floor / seconds,
      peakBytes: peak,
    },
    check: `loss ${trainLoss[0]!.toFixed(3)} to ${trainLoss.at(-1)!.toFixed(3)}, accuracy ${accuracy.toFixed(3)}`,
  };
}
