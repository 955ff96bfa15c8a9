import type { AttackResult, AttackTask } from "../attack/attack.ts";
import { edgeBudget } from "../attack/budget.ts";
import { grbcd } from "../attack/grbcd.ts";
import { prbcd } from "../attack/prbcd.ts";
import type { Backend } from "../backend/backend.ts";
import { type Progress, silent } from "../core/progress.ts";
import { Rng } from "../core/rng.ts";
import type { Model } from "../nn/model.ts";
import { train, trainDefaults } from "../nn/training/train.ts";
import { type DeviceGraph, toDevice } from "../tensor/index.ts";
import type { BenchDevice } from "./bench-device.ts";
import { type Ceilings, typical } from "./ceilings.ts";
import { clockedKernels } from "./clocked-kernels.ts";
import { countingBackend } from "./counting-backend.ts";
import {
  arxivCase,
  caseModel,
  caseSplit,
  casesOf,
  coraCase,
  type EpochCase,
  halfArxivCase,
  plainArxivCase,
  productsCase,
  pubmedCase,
} from "./epoch-case.ts";
import { againstFloor, type EpochReport, type EpochResult } from "./epoch-report.ts";
import { EpochTimer, RUN_OUT, WARM_UP } from "./epoch-timer.ts";

interface AttackCase {
  readonly epochCase: EpochCase;
  /** Sizes of blocks. */
  readonly blocks: readonly number[];
  readonly epochs: number;
  /** True if a run takes a minute: there is no warm-up run before it, and no run with clocked kernels after it. */
  readonly once?: boolean;
}

interface Setting {
  readonly cases: readonly AttackCase[];
  /** Share of the edges that may be flipped. */
  readonly epsilon: number;
  /** Test nodes are attacked, but at most this share of all nodes. */
  readonly share: number;
  /** Epochs of training before the attack: an untrained model has no weaknesses to attack. */
  readonly learn: number;
  /**
   * Seconds of epochs before any is timed. The driver of a GPU compiles a kernel quickly at first use, and recompiles
   * it with optimisation after some tenths of a second of use.
   */
  readonly settle: number;
}

const SETTINGS: Record<BenchDevice["name"], Setting> = {
  cpu: {
    cases: [
      { epochCase: coraCase, blocks: [1_000_000], epochs: 40 },
      { epochCase: pubmedCase, blocks: [2_500_000], epochs: 40 },
      { epochCase: halfArxivCase, blocks: [1_000_000], epochs: 5 },
      { epochCase: arxivCase, blocks: [250_000, 1_000_000, 10_000_000], epochs: 5 },
    ],
    epsilon: 0.01,
    share: 1,
    learn: 10,
    settle: 0,
  },
  // The setting of our measurements of PyTorch Geometric: a tenth of the edges, a quarter of the nodes.
  webgpu: {
    cases: [
      { epochCase: coraCase, blocks: [1_000_000], epochs: 300 },
      { epochCase: pubmedCase, blocks: [2_500_000], epochs: 200 },
      { epochCase: plainArxivCase, blocks: [250_000, 1_000_000, 10_000_000], epochs: 80 },
      { epochCase: productsCase, blocks: [10_000_000], epochs: 20, once: true },
    ],
    epsilon: 0.1,
    share: 0.25,
    learn: 100,
    settle: 1.5,
  },
};

/** Epochs of the run in which kernels are timed one by one. */
const CLOCKED = 20;

const ATTACKS: Record<
  string,
  (model: Model, view: DeviceGraph, task: AttackTask, block: number, epochs: number) => Promise<AttackResult>
> = {
  prbcd: (model, view, task, blockSize, epochs) =>
    prbcd(model, view, task, { preset: "paper", blockSize, epochs, fineTuneEpochs: 0, samples: 1 }),
  grbcd: (model, view, task, blockSize, epochs) => grbcd(model, view, task, { blockSize, epochs }),
};

/**
 * Times epochs of PR-BCD and GR-BCD on graphs of known shapes. Ceilings are measured among the epochs, because the
 * speed of the machine drifts by a third within minutes: a floor measured at another time would be meaningless.
 */
export async function benchAttack(
  device: BenchDevice,
  shape: string | undefined,
  progress: Progress,
): Promise<EpochReport> {
  const setting = SETTINGS[device.name];
  const cases = casesOf(setting.cases, shape);
  const epochs: EpochResult[] = [];
  const ceilings: Ceilings[] = [];
  const sampler = await device.sampler();
  for (const [i, attackCase] of cases.entries()) {
    const note = (what: string) => progress.update(i, cases.length, what);
    const attacked = await attackEpochs(device, attackCase, setting, sampler.sample, note);
    epochs.push(...attacked.epochs);
    ceilings.push(...attacked.ceilings);
  }
  await sampler.close();
  return { device: device.description, ceilings, epochs };
}

/** Times the attacks on one case, for each size of blocks. */
async function attackEpochs(
  device: BenchDevice,
  { epochCase, blocks, epochs: count, once = false }: AttackCase,
  setting: Setting,
  sample: () => Ceilings,
  note: (what: string) => void,
): Promise<Pick<EpochReport, "epochs" | "ceilings">> {
  const opened = await device.open();
  const { backend, needs } = countingBackend(opened.backend);
  const { model, view, task } = await trained(backend, epochCase, setting);
  const timed: { result: EpochResult; again(): Promise<unknown> }[] = [];
  const ceilings: Ceilings[] = [];
  for (const [name, attack] of Object.entries(ATTACKS)) {
    for (const block of blocks) {
      note(`${name} on ${epochCase.name}, ${block} pairs`);
      const timer = new EpochTimer(needs, sample, count);
      const run = (progress: Progress, epochs: number) =>
        attack(model, view, { ...task, rng: new Rng(2), progress }, block, epochs);
      if (!once && block === blocks[0]) await forSeconds(setting.settle, () => run(silent, CLOCKED));
      const found = await run(timer, WARM_UP + count + RUN_OUT);
      const times = timer.result();
      const result = {
        ...againstFloor(times),
        ...outcome(found),
        shape: epochCase.name,
        what: `${name} ${block.toExponential(1)}`,
      };
      timed.push({ result, again: () => run(silent, CLOCKED) });
      ceilings.push(typical(times.ceilings));
    }
  }
  const epochs: EpochResult[] = [];
  for (const { result, again } of timed) {
    epochs.push({ ...result, ...(!once && (await clockedKernels(opened, CLOCKED, again))) });
  }
  await backend.close();
  return { epochs, ceilings };
}

/** Repeats a run for this many seconds. */
async function forSeconds(seconds: number, run: () => Promise<unknown>): Promise<void> {
  const begin = performance.now();
  while (performance.now() - begin < 1000 * seconds) await run();
}

async function trained(backend: Backend, epochCase: EpochCase, { epsilon, share, learn }: Setting) {
  const graph = epochCase.graph();
  const view = toDevice(backend, graph);
  const model = caseModel(backend, graph, epochCase);
  const { train: nodes, val, test } = caseSplit(graph);
  await train(model, view, { train: nodes, val, rng: new Rng(1) }, { ...trainDefaults, maxEpochs: learn });
  const attacked = test.subarray(0, Math.floor(share * graph.numNodes));
  return { model, view, task: { nodes: attacked, budget: edgeBudget(graph, epsilon) } };
}

function outcome({ accuracy, cost }: AttackResult): Pick<EpochResult, "peakBytes" | "check"> {
  const check = `accuracy ${accuracy.clean.toFixed(3)} to ${accuracy.adversarial.toFixed(3)}`;
  return { peakBytes: cost.peakBytes, check };
}
