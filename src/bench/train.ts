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

interface TrainCase {
  readonly epochCase: EpochCase;
  readonly epochs: number;
}

const CASES: Record<BenchDevice["name"], readonly TrainCase[]> = {
  cpu: [
    { epochCase: coraCase, epochs: 200 },
    { epochCase: pubmedCase, epochs: 30 },
    { epochCase: arxivCase, epochs: 5 },
  ],
  webgpu: [
    { epochCase: coraCase, epochs: 300 },
    { epochCase: pubmedCase, epochs: 200 },
    { epochCase: arxivCase, epochs: 100 },
    { epochCase: plainArxivCase, epochs: 100 },
  ],
};

/** More epochs on a GPU, whose driver recompiles kernels with optimisation after some tenths of a second of use. */
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
  for (const [i, trainCase] of cases.entries()) {
    progress.update(i, cases.length, `train on ${trainCase.epochCase.name}`);
    const { result, ceilings } = await trainingEpochs(trainCase, device, sampler.sample);
    epochs.push(result);
    measured.push(typical(ceilings));
  }
  await sampler.close();
  return { device: device.description, ceilings: measured, epochs };
}

async function trainingEpochs(
  { epochCase, epochs }: TrainCase,
  device: BenchDevice,
  sample: () => Ceilings,
): Promise<{ result: EpochResult; ceilings: readonly Ceilings[] }> {
  const { backend, needs } = countingBackend((await device.open()).backend);
  const graph = epochCase.graph();
  const view = toDevice(backend, graph);
  const model = caseModel(backend, graph, epochCase);
  const { train: nodes, val, test } = caseSplit(graph);
  const warmUp = WARM_UP_ON[device.name];
  const timer = new EpochTimer(needs, sample, epochs, warmUp);
  const maxEpochs = warmUp + epochs + RUN_OUT;
  const config = { ...trainDefaults, maxEpochs, patience: maxEpochs };
  const { trainLoss } = await train(model, view, { train: nodes, val, rng: new Rng(1) }, config, { progress: timer });
  const accuracy = await evaluate(model, view, test);
  const { peak } = backend.memory;
  await backend.close();
  const times = timer.result();
  const result = {
    ...againstFloor(times),
    shape: epochCase.name,
    what: `${epochs} epochs`,
    peakBytes: peak,
    check: `loss ${trainLoss[0].toFixed(3)} to ${trainLoss.at(-1)!.toFixed(3)}, accuracy ${accuracy.toFixed(3)}`,
  };
  return { result, ceilings: times.ceilings };
}
