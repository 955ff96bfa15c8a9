import type { Progress } from "../core/progress.ts";
import { Rng } from "../core/rng.ts";
import { evaluate } from "../nn/training/evaluate.ts";
import { train, trainDefaults } from "../nn/training/train.ts";
import { toDevice } from "../tensor/index.ts";
import type { BenchDevice } from "./bench-device.ts";
import { type Ceilings, typical } from "./ceilings.ts";
import { countingBackend } from "./counting-backend.ts";
import {
  arxivCase,
  caseModel,
  caseSplit,
  casesOf,
  coraCase,
  type EpochCase,
  plainArxivCase,
  pubmedCase,
} from "./epoch-case.ts";
import { againstFloor, type EpochReport, type EpochResult } from "./epoch-report.ts";
import { EpochTimer, RUN_OUT, WARM_UP } from "./epoch-timer.ts";

const CASES: Record<BenchDevice["name"], readonly (readonly [EpochCase, epochs: number])[]> = {
  cpu: [
    [coraCase, 200],
    [pubmedCase, 30],
    [arxivCase, 5],
  ],
  webgpu: [
    [coraCase, 300],
    [pubmedCase, 200],
    [arxivCase, 100],
    [plainArxivCase, 100],
  ],
};

/** The driver of a GPU compiles kernels anew, and better, when they have been in use for some tenths of a second. */
const WARM_UP_ON: Record<BenchDevice["name"], number> = { cpu: WARM_UP, webgpu: 400 };

/** Times training epochs of a GCN on graphs of known shapes. */
export async function benchTrain(
  device: BenchDevice,
  shape: string | undefined,
  progress: Progress,
): Promise<EpochReport> {
  const cases = casesOf(CASES[device.name], shape);
  const sampler = await device.sampler();
  const epochs: EpochResult[] = [];
  const measured: Ceilings[] = [];
  for (const [i, [epochCase, count]] of cases.entries()) {
    progress.update(i, cases.length, `train on ${epochCase.name}`);
    const { result, ceilings } = await trainingEpochs(epochCase, count, device, sampler.sample);
    epochs.push(result);
    measured.push(typical(ceilings));
  }
  await sampler.close();
  return { device: device.description, ceilings: measured, epochs };
}

async function trainingEpochs(
  epochCase: EpochCase,
  count: number,
  device: BenchDevice,
  sample: () => Ceilings,
): Promise<{ result: EpochResult; ceilings: readonly Ceilings[] }> {
  const { backend, needs } = countingBackend((await device.open()).backend);
  const graph = epochCase.graph();
  const view = toDevice(backend, graph);
  const model = caseModel(backend, graph, epochCase);
  const { train: nodes, val, test } = caseSplit(graph);
  const warmUp = WARM_UP_ON[device.name];
  const timer = new EpochTimer(needs, sample, count, warmUp);
  const maxEpochs = warmUp + count + RUN_OUT;
  const config = { ...trainDefaults, maxEpochs, patience: maxEpochs };
  const { trainLoss } = await train(model, view, { train: nodes, val, rng: new Rng(1) }, config, { progress: timer });
  const accuracy = await evaluate(model, view, test);
  const { peak } = backend.memory;
  await backend.close();
  const times = timer.result();
  const result = {
    shape: epochCase.name,
    what: `${count} epochs`,
    peakBytes: peak,
    ...againstFloor(times),
    check: `loss ${trainLoss[0].toFixed(3)} to ${trainLoss.at(-1)!.toFixed(3)}, accuracy ${accuracy.toFixed(3)}`,
  };
  return { result, ceilings: times.ceilings };
}
