import type { StageReport } from "../attack/attack.ts";
import { auto } from "../attack/auto/auto.ts";
import { edgeBudget } from "../attack/budget.ts";
import type { Progress } from "../core/progress.ts";
import { Rng } from "../core/rng.ts";
import { train, trainDefaults } from "../nn/training/train.ts";
import { toDevice } from "../tensor/index.ts";
import type { BenchDevice } from "./bench-device.ts";
import { caseModel, caseSplit, casesOf, coraCase, plainArxivCase, pubmedCase } from "./epoch-case.ts";

/** Share of the edges that may be flipped. */
const EPSILON = 0.05;
/** Epochs of training before the attack: an untrained model has no weaknesses to attack. */
const LEARN = 100;

const CASES = [
  { epochCase: coraCase, options: { epochs: 400, rounds: 20, blockSize: 250_000 } },
  { epochCase: pubmedCase, options: { epochs: 400, rounds: 10, blockSize: 1_000_000 } },
  { epochCase: plainArxivCase, options: { epochs: 400, rounds: 60, blockSize: 1_000_000 } },
];

/** The result of `auto` on a graph of one shape, stage by stage. */
export interface AutoResult {
  readonly shape: string;
  readonly budget: number;
  readonly numTargets: number;
  readonly accuracy: { readonly clean: number; readonly adversarial: number };
  readonly stages: readonly StageReport[];
  readonly seconds: number;
}

/** Runs `auto` on GCNs trained on graphs of known shapes, and reports what each stage gains and how long it takes. */
export async function benchAuto(
  device: BenchDevice,
  shape: string | undefined,
  progress: Progress,
): Promise<{ auto: AutoResult[] }> {
  const results: AutoResult[] = [];
  for (const { epochCase, options } of casesOf(CASES, shape)) {
    const { backend } = await device.open();
    const graph = epochCase.graph();
    const view = toDevice(backend, graph);
    const model = caseModel(backend, graph, epochCase);
    const { train: nodes, val, test } = caseSplit(graph);
    await train(model, view, { train: nodes, val, rng: new Rng(1) }, { ...trainDefaults, maxEpochs: LEARN });
    const budget = edgeBudget(graph, EPSILON);
    const found = await auto(model, view, { nodes: test, budget, rng: new Rng(2), progress }, options);
    const { accuracy, stages, cost } = found;
    results.push({
      shape: epochCase.name,
      budget,
      numTargets: test.length,
      accuracy,
      stages: stages ?? [],
      seconds: cost.seconds,
    });
    await backend.close();
  }
  return { auto: results };
}
