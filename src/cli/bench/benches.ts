import { benchAttack } from "../../bench/attack.ts";
import { benchAuto } from "../../bench/auto.ts";
import { type BenchDevice, cpuDevice } from "../../bench/bench-device.ts";
import { benchCertify } from "../../bench/certify.ts";
import { benchDefence } from "../../bench/defence.ts";
import { benchGpuKernels } from "../../bench/gpu-kernels.ts";
import { benchKernels } from "../../bench/kernels.ts";
import { benchLocal } from "../../bench/local.ts";
import { benchLocalScale, SCALE_SIZES, scaleCurves } from "../../bench/local-scale.ts";
import { benchPolish } from "../../bench/polish.ts";
import { benchPush } from "../../bench/push.ts";
import { benchSideBySide } from "../../bench/side-by-side.ts";
import { benchStore } from "../../bench/store.ts";
import { benchTrain } from "../../bench/train.ts";
import { benchWorkers } from "../../bench/workers.ts";
import { check } from "../../core/errors.ts";
import type { Progress } from "../../core/progress.ts";
import { curvesChart } from "../../experiment/curves-chart.ts";
import { writeAtomically } from "../../files/write-atomically.ts";
import { autoOutcome } from "./auto-outcome.ts";
import { ceilingTable } from "./ceiling-table.ts";
import { defenceOutcome } from "./defence-outcome.ts";
import { epochOutcome } from "./epoch-outcome.ts";
import { kernelTable } from "./kernel-tables.ts";
import { localOutcome, scaleOutcome } from "./local-outcomes.ts";
import type { Outcome } from "./outcome.ts";
import { sideBySideOutcome } from "./side-by-side-outcome.ts";
import { storeOutcome } from "./store-outcome.ts";
import { trialOutcome } from "./trial-outcome.ts";
import { VOTE_LEGEND, voteTables } from "./vote-tables.ts";
import { workersOutcome } from "./workers-outcome.ts";

/** What a benchmark is asked to measure. */
interface BenchChoice {
  readonly threads: number;
  readonly shape?: string | undefined;
  readonly scale?: string | undefined;
  readonly nodes?: readonly number[] | undefined;
  readonly plot?: string | undefined;
  readonly store?: string | undefined;
}

interface Bench {
  readonly summary: string;
  /** `show` prints partial results, for people: a long benchmark may be cut off. */
  run(device: BenchDevice, options: BenchChoice, progress: Progress, show: (text: string) => void): Promise<Outcome>;
}

/** All benchmarks, by name. */
export const BENCHES: Record<string, Bench> = {
  kernels: {
    summary: "time of every kernel beside what the machine can do at best",
    async run(device, { threads }, progress) {
      const { ceilings, kernels } =
        device.name === "webgpu" ? await benchGpuKernels(progress) : await benchKernels(threads, progress);
      return { text: `${ceilingTable(ceilings)}\n\n${kernelTable(kernels)}`, data: { ceilings, kernels } };
    },
  },
  train: {
    summary:
      "training epochs of a GCN on the shapes of Cora ML, PubMed and arxiv, trainings side by side on the first, PageRank push on the last",
    async run(device, { threads, shape }, progress) {
      const outcomes = [epochOutcome(await benchTrain(device, shape, progress))];
      if (shape === undefined || shape === "cora_ml") {
        outcomes.push(sideBySideOutcome(await benchSideBySide(device, progress)));
      }
      if (device.name === "cpu" && (shape === undefined || shape === "arxiv")) {
        const push = await benchPush(threads);
        const rows = `${Math.round(push.rowsPerSecond)} rows/s, ${Math.round(push.rowsPerSecondPerThread)} per thread`;
        const text = `push on arxiv, alpha ${push.alpha}, epsilon ${push.epsilon}: ${rows}`;
        outcomes.push({ text, data: { push } });
      }
      const text = outcomes.map((outcome) => outcome.text).join("\n\n");
      return { text, data: Object.assign({}, ...outcomes.map(({ data }) => data)) };
    },
  },
  attack: {
    summary: "epochs of PR-BCD and GR-BCD on these shapes, for several block sizes",
    run: async (device, { shape }, progress) => epochOutcome(await benchAttack(device, shape, progress)),
  },
  auto: {
    summary: "the attack auto on these shapes: what each of its stages gains, and how long it takes",
    run: async (device, { shape }, progress) => autoOutcome(await benchAuto(device, shape, progress)),
  },
  polish: {
    summary: "changes to the edges tried per second, by the rows that they reach and by whole passes",
    async run(device, { threads, shape }, progress) {
      check(device.name === "cpu", () => "bench polish: changes are tried on the CPU; leave out --device webgpu");
      return trialOutcome(await benchPolish(threads, shape, progress));
    },
  },
  local: {
    summary: "attacks on single nodes of these shapes: nodes per second, beside passes over the whole graph",
    async run(device, { shape, threads, scale, nodes = SCALE_SIZES, plot }, progress) {
      if (scale === undefined) return localOutcome(await benchLocal(device, { shape, threads }, progress));
      const report = await benchLocalScale(device, { folder: scale, sizes: nodes, threads }, progress);
      if (plot) await writeAtomically(plot, await curvesChart(scaleCurves(report)));
      return scaleOutcome(report);
    },
  },
  certify: {
    summary: "noisy graphs that a GCN and Soft Median GDC vote on per second, on the shapes of Cora ML and PubMed",
    async run(device, { shape, threads }, progress, show) {
      const data = await benchCertify(device, { shape, threads }, progress, (rates) => show(voteTables(rates)));
      return { text: `${VOTE_LEGEND}\n\n${ceilingTable(data.ceilings)}`, data };
    },
  },
  defence: {
    summary: "Soft Median beside a sparse product, the adaptive attack beside a dense inverse",
    run: async (device, _, progress) =>
      defenceOutcome(await benchDefence(async () => (await device.open()).backend, progress)),
  },
  store: {
    summary: "a store of a million runs: how long it takes to list, filter and average them",
    run: async (_, { store }, progress) => storeOutcome(await benchStore(progress, { place: store })),
  },
  workers: {
    summary:
      "small runs of a study per second by 1, 2 and 4 processes on one store, and what a run takes beside measuring it",
    run: async (_, { store }, progress) => workersOutcome(await benchWorkers(progress, { place: store })),
  },
  ceilings: {
    summary: "bandwidth and multiply-add rate of the machine",
    async run(device, { threads }) {
      const alone = device.name === "cpu" && threads > 1 ? [await cpuDevice(1).ceilings()] : [];
      const ceilings = [...alone, await device.ceilings()];
      return { text: ceilingTable(ceilings), data: { ceilings } };
    },
  },
};

/** Benchmarks that run on graphs of several shapes. */
export const SHAPED = ["train", "attack", "auto", "polish", "local", "certify"];

/** Benchmarks that keep runs in a store. */
export const STORING = ["store", "workers"];
