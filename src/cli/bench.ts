import { availableParallelism } from "node:os";
import { Command } from "commander";
import type { KernelTime } from "../backend/webgpu/device/kernel-times.ts";
import type { Precision } from "../backend/webgpu/webgpu.ts";
import { benchAttack } from "../bench/attack.ts";
import { type AutoResult, benchAuto } from "../bench/auto.ts";
import { type BenchDevice, cpuDevice, gpuDevice } from "../bench/bench-device.ts";
import type { Ceilings } from "../bench/ceilings.ts";
import { benchCertify, type VoteRate } from "../bench/certify.ts";
import { benchDefence, type DefenceReport } from "../bench/defence.ts";
import type { EpochReport, EpochResult } from "../bench/epoch-report.ts";
import { benchGpuKernels } from "../bench/gpu-kernels.ts";
import { benchKernels, type KernelResult } from "../bench/kernels.ts";
import { benchLocal, type LocalReport } from "../bench/local.ts";
import { benchLocalScale, SCALE_SIZES, type ScaleReport, scaleCurves } from "../bench/local-scale.ts";
import { machine } from "../bench/machine.ts";
import { benchPolish, type TrialReport } from "../bench/polish.ts";
import { benchPush } from "../bench/push.ts";
import { benchSideBySide, type SideBySideResult } from "../bench/side-by-side.ts";
import { benchStore, type StoreReport } from "../bench/store.ts";
import { benchTrain } from "../bench/train.ts";
import { check, lookup } from "../core/errors.ts";
import type { Progress } from "../core/progress.ts";
import { curvesChart } from "../experiment/curves-chart.ts";
import { formatBytes, formatCount } from "../experiment/readable-numbers.ts";
import { left, right } from "../experiment/table-column.ts";
import { checkWritable, writeAtomically } from "../files/write-atomically.ts";
import { wholeNumber } from "./number-options.ts";
import { precisionOption } from "./options.ts";
import { ProgressBar } from "./progress-bar.ts";
import { formatFacts, formatTable } from "./table.ts";

/** What a benchmark found: for people, and for `--json`. */
interface Outcome {
  readonly text: string;
  readonly data: object;
}

/** What a benchmark is asked to measure. */
interface BenchChoice {
  readonly threads: number;
  readonly shape?: string | undefined;
  readonly scale?: string | undefined;
  readonly nodes?: readonly number[] | undefined;
  readonly plot?: string | undefined;
}

interface Bench {
  readonly summary: string;
  /** `show` prints what is known already, for people: long benchmarks may be cut off. */
  run(device: BenchDevice, options: BenchChoice, progress: Progress, show: (text: string) => void): Promise<Outcome>;
}

const BENCHES: Record<string, Bench> = {
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
    run: async (_, __, progress) => storeOutcome(await benchStore(progress)),
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
const SHAPED = ["train", "attack", "auto", "polish", "local", "certify"];

/** `rgnn bench [name]` */
export function benchCommand(): Command {
  const names = Object.entries(BENCHES).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`);
  return new Command("bench")
    .description("Measure this machine and the kernels on it; answers are checked")
    .argument("[name]", "what to measure", "kernels")
    .option("--threads <n>", "compare one thread with this many (default: all cores)", wholeNumber)
    .option("--device <device>", "cpu or webgpu", "cpu")
    .addOption(precisionOption())
    .option(
      "--shape <name>",
      "train, attack, auto, polish, local and certify: only this shape, such as arxiv, or products, which is left out otherwise",
    )
    .option(
      "--scale <folder>",
      "local: graphs of growing size instead, as graph stores in this folder; made where they are missing (22 GB)",
    )
    .option("--nodes <counts>", "local --scale: these sizes only, such as 10000,1000000", counts)
    .option("--plot <file>", "local --scale: draw seconds and memory over size, as SVG")
    .option("--json", "print one JSON object instead of a table")
    .addHelpText("after", `\nBenchmarks:\n${names.join("\n")}\n\nExample: rgnn bench kernels --threads 2`)
    .action(bench);
}

interface BenchOptions {
  readonly threads?: number;
  readonly device: string;
  readonly precision?: Precision;
  readonly shape?: string;
  readonly scale?: string;
  readonly nodes?: readonly number[];
  readonly plot?: string;
  readonly json?: boolean;
}

async function bench(name: string, options: BenchOptions) {
  const { device, precision, shape, scale, nodes, plot, json } = options;
  const chosen = lookup(BENCHES, name, "benchmark");
  check(device === "cpu" || device === "webgpu", () => `bench: unknown device "${device}"; known are cpu, webgpu`);
  check(
    precision === undefined || device === "webgpu",
    () => "bench: the CPU computes in single precision; leave out --precision",
  );
  check(shape === undefined || SHAPED.includes(name), () => `bench ${name} has no --shape; ${SHAPED.join(", ")} have`);
  check(scale === undefined || name === "local", () => `bench ${name} has no --scale; local has`);
  check(
    scale !== undefined || (nodes === undefined && plot === undefined),
    () => "bench: --nodes and --plot are of local --scale; leave them out",
  );
  check(
    scale === undefined || shape === undefined,
    () => "bench local --scale has a shape of its own; leave out --shape",
  );
  if (plot) await checkWritable(plot);
  check(
    options.threads === undefined || device === "cpu",
    () => "bench: threads are of the CPU; leave out --threads with --device webgpu",
  );
  const threads = options.threads ?? availableParallelism();
  check(threads >= 1, () => `bench: threads must be 1 or more, got ${threads}`);
  const where = { ...machine(), threads };
  const bar = new ProgressBar();
  const on = device === "webgpu" ? await gpuDevice(precision) : cpuDevice(threads);
  const show = (text: string) => {
    bar.clear();
    if (!json) console.log(`${text}\n`);
  };
  show(`${machineText(where)}${device === "webgpu" ? `\ngpu      ${on.description}` : ""}`);
  const choice = { threads, shape, scale, nodes, plot };
  const { text, data } = await chosen.run(on, choice, bar, show).finally(() => bar.finish());
  console.log(json ? JSON.stringify({ bench: name, machine: where, device: on.description, ...data }) : text);
}

function machineText({ cpu, cores, node, load, threads }: ReturnType<typeof machine> & { threads: number }): string {
  const busy = load > 0.5 ? ": other work is running, kernels and scaling look worse than they are" : "";
  return formatFacts({ cpu, cores: `${cores}, load ${load} at the start${busy}`, node, threads: String(threads) });
}

function ceilingTable(ceilings: readonly Ceilings[]): string {
  const giga = (rate: number, unit: string) => `${(rate / 1e9).toFixed(1)} ${unit}`;
  const columns = [
    "threads",
    "stream",
    "gather of 1 KiB rows",
    "in shared cache",
    "in own cache",
    "multiply-add",
    "random",
  ];
  const rows = ceilings.map(({ threads, stream, gather, shared, cached, flops, words }) => [
    String(threads),
    giga(stream, "GB/s"),
    giga(gather, "GB/s"),
    giga(shared, "GB/s"),
    giga(cached, "GB/s"),
    giga(flops, "GFLOP/s"),
    `${(words / 1e6).toFixed(0)} Mword/s`,
  ]);
  const isNew = (row: string[], i: number) => rows[i - 1]?.join() !== row.join(); // those of a GPU are measured once
  return formatTable(columns.map(right), rows.filter(isNew));
}

function epochOutcome(report: EpochReport): Outcome {
  const clocked = report.epochs.flatMap(({ shape, what, kernels }) => (kernels ? [{ shape, what, kernels }] : []));
  const kernelTables = clocked.map(({ shape, what, kernels }) => clockTable(`${shape}, ${what}`, "per epoch", kernels));
  const tables = [ceilingTable(report.ceilings), epochTable(report.epochs), ...kernelTables];
  return { text: tables.join("\n\n"), data: report };
}

/** Where time goes, by the clock of the device. */
function clockTable(what: string, per: string, kernels: readonly KernelTime[]): string {
  return formatTable(
    [left(what), right("launches"), right(per)],
    kernels.map(({ kernel, launches, milliseconds: time }) => [kernel, launches.toFixed(1), milliseconds(time)]),
  );
}

function epochTable(epochs: readonly EpochResult[]): string {
  const columns = [left("shape"), left("what"), right("per epoch"), right("floor"), right("reached")];
  return formatTable(
    [...columns, right("at best"), right("memory"), left("check")],
    epochs.map(({ shape, what, secondsPerEpoch, floor, ratio, bestRatio, peakBytes, check }) => [
      shape,
      what,
      milliseconds(1000 * secondsPerEpoch),
      milliseconds(1000 * floor),
      percent(ratio),
      percent(bestRatio),
      formatBytes(peakBytes),
      check,
    ]),
  );
}

function sideBySideOutcome(result: SideBySideResult): Outcome {
  const { shape, models, oneByOne, sideBySide, gain, accuracy, sameBestEpoch, peakBytes, kernels } = result;
  const table = formatTable(
    [
      left(`${models} trainings on ${shape}`),
      ...["time", "trainings/s", "epochs", "per epoch", "accuracy"].map((title) => right(title)),
    ],
    [
      { what: "one after the other", times: oneByOne, share: accuracy.oneByOne },
      { what: "side by side", times: sideBySide, share: accuracy.sideBySide },
    ].map(({ what, times, share }) => [
      what,
      `${times.seconds.toFixed(2)} s`,
      times.trainingsPerSecond.toFixed(2),
      String(times.epochs),
      milliseconds(1000 * times.secondsPerEpoch),
      share.toFixed(4),
    ]),
  );
  const same = `${sameBestEpoch} of ${models} have the same best epoch, accuracies differ by at most ${accuracy.mostApart.toFixed(4)}`;
  const gained = `side by side there are ${gain.toFixed(1)} times as many trainings per second, in ${formatBytes(peakBytes)}; ${same}`;
  const clocked = kernels ? [clockTable(`${shape}, ${models} side by side`, "per epoch", kernels)] : [];
  return { text: [`${table}\n${gained}`, ...clocked].join("\n\n"), data: { sideBySide: result } };
}

function trialOutcome(report: TrialReport): Outcome {
  const columns = ["threads", "patched/s", "whole/s", "gain", "rows", "KiB", "kflop", "floor", "reached", "at best"];
  const table = formatTable(
    [left("shape"), left("change"), ...columns.map(right), left("check")],
    report.trials.map((trial) => [
      trial.shape,
      trial.what,
      String(trial.threads),
      trial.patchedPerSecond.toFixed(0),
      trial.wholePerSecond.toFixed(1),
      trial.gain.toFixed(1),
      trial.rowsPerTrial.toFixed(0),
      (trial.bytesPerTrial / 1024).toFixed(1),
      (trial.flopsPerTrial / 1000).toFixed(1),
      `${(1e6 * trial.floor).toFixed(2)} µs`,
      percent(trial.ratio),
      percent(trial.bestRatio),
      trial.check,
    ]),
  );
  const legend =
    "rows, KiB, kflop, floor: of one patched change, on average; whole passes need no product with the features";
  return { text: `${ceilingTable(report.ceilings)}\n\n${table}\n\n${legend}`, data: report };
}

const VOTE_LEGEND =
  "MiB and floor: what the products of one noisy graph read, its edges and the random words for them; PageRank is not in it";

/** The rates of one case, and where time goes. */
function voteTables(rates: readonly VoteRate[]): string {
  const columns = ["threads", "samples/s", "per sample", "MiB", "floor", "reached"];
  const table = formatTable(
    [left("shape"), left("model"), ...columns.map(right), left("check")],
    rates.map((rate) => [
      rate.shape,
      rate.model,
      String(rate.threads),
      rate.samplesPerSecond.toFixed(1),
      milliseconds(1000 / rate.samplesPerSecond),
      (rate.bytesPerSample / 2 ** 20).toFixed(1),
      milliseconds(1000 * rate.floor),
      percent(rate.ratio),
      rate.check,
    ]),
  );
  const clocked = rates.flatMap(({ shape, model, kernels }) => (kernels ? [{ shape, model, kernels }] : []));
  const tables = clocked.map(({ shape, model, kernels }) => clockTable(`${shape}, ${model}`, "per 1000", kernels));
  return [table, ...tables].join("\n\n");
}

function kernelTable(kernels: readonly KernelResult[]): string {
  const columns = [left("kernel"), left("shape"), right("1 thread"), right("all"), right("best"), right("scaling")];
  columns.push(left("bound"), right("floor"), right("reached"));
  return formatTable(
    columns,
    kernels.map(({ kernel, shape, timings, scaling, bound, floor, ratio }) => [
      kernel,
      shape,
      milliseconds(timings[0].median),
      milliseconds(timings.at(-1)!.median),
      milliseconds(timings.at(-1)!.best),
      scaling.toFixed(2),
      bound,
      milliseconds(floor),
      percent(ratio),
    ]),
  );
}

function defenceOutcome(report: DefenceReport): Outcome {
  const { aggregation, adaptive } = report;
  const { shape, product, softMedian, ratio, timesPlain, extraBytes, entryBytes } = aggregation;
  const table = formatTable(
    [left(shape), right("sparse product"), right("Soft Median"), right("/ one product")],
    (["forward", "backward"] as const).map((pass) => [
      pass,
      milliseconds(product[pass]),
      milliseconds(softMedian[pass]),
      ratio[pass].toFixed(1),
    ]),
  );
  const memory = `memory beyond matrix and features ${formatBytes(extraBytes)}; a float per entry takes ${formatBytes(entryBytes)}`;
  const seconds = (time: number) => `${time.toFixed(3)} s`;
  const facts = formatFacts({
    "adaptive attack": adaptive.shape,
    "our epoch": seconds(adaptive.secondsPerEpoch),
    "early epoch": seconds(adaptive.secondsPerEarlyEpoch),
    "dense inverse": seconds(adaptive.denseInverse),
    "dense gradient": seconds(adaptive.denseGradient),
    gain: `${adaptive.gain.toFixed(1)} times, early ${adaptive.earlyGain.toFixed(1)} times`,
  });
  const plain = `${timesPlain.toFixed(1)} times the plain aggregation`;
  const together = `forward and backward together ${ratio.both.toFixed(1)} products, ${plain}`;
  return { text: `${table}\n${together}\n${memory}\n\n${facts}`, data: report };
}

function autoOutcome(report: { auto: AutoResult[] }): Outcome {
  const rows = report.auto.flatMap(({ shape, accuracy, numTargets, stages, seconds }) => [
    [shape, "clean", accuracy.clean.toFixed(4), ""],
    ...stages.map((stage) => [
      shape,
      stage.name,
      (stage.score / numTargets).toFixed(4),
      `${stage.seconds.toFixed(1)} s`,
    ]),
    [shape, "all", accuracy.adversarial.toFixed(4), `${seconds.toFixed(1)} s`],
  ]);
  const columns = [left("shape"), left("stage"), right("accuracy"), right("time")];
  return { text: formatTable(columns, rows), data: report };
}

function storeOutcome(report: StoreReport): Outcome {
  const table = formatTable(
    [left("question"), right("rows"), right("time")],
    report.answers.map((answer) => [answer.question, String(answer.rows), milliseconds(answer.milliseconds)]),
  );
  const queue = `to take a run and keep its result: ${milliseconds(report.millisecondsPerRun)}`;
  return { text: `${report.runs} runs\n\n${table}\n\n${queue}`, data: report };
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

function scaleOutcome(report: ScaleReport): Outcome {
  const columns = [
    ...[right("nodes"), right("edges"), left("features"), left("model"), right("block")],
    ...[right("s/epoch"), right("memory"), right("read from disk")],
  ];
  const sizeOf = (bytes: number | null) => (bytes === null ? "?" : formatBytes(bytes));
  const rows = report.scale.map(
    ({ nodes, edges, features, model, blockSize, secondsPerEpoch, residentBytes, readBytes }) => [
      ...[formatCount(nodes), formatCount(edges), features, model, formatCount(blockSize)],
      ...[secondsPerEpoch.toFixed(3), sizeOf(residentBytes), sizeOf(readBytes)],
    ],
  );
  return { text: formatTable(columns, rows), data: report };
}

/** Numbers of nodes, separated by commas. */
function counts(text: string): number[] {
  return text.split(",").map(wholeNumber);
}

function localOutcome(report: LocalReport): Outcome {
  const attacks = formatTable(
    [
      left("shape"),
      left("preset"),
      right("threads"),
      right("nodes/s"),
      right("all nodes"),
      right("epoch"),
      right("whole pass"),
      right("gain"),
      left("check"),
    ],
    report.local.map(({ shape, preset, threads, targetsPerSecond, hoursForAllNodes, secondsPerEpoch, check }) => [
      shape,
      preset,
      String(threads),
      targetsPerSecond.toFixed(2),
      `${hoursForAllNodes.toFixed(2)} h`,
      milliseconds(1000 * secondsPerEpoch.patched),
      milliseconds(1000 * secondsPerEpoch.whole),
      (secondsPerEpoch.whole / secondsPerEpoch.patched).toFixed(1),
      check,
    ]),
  );
  const touched = formatTable(
    [left("PageRank rows of candidates"), right("rows"), right("k"), right("columns"), right("of random rows")],
    report.touched.map(({ shape, rows, k, measured, expected }) => [
      shape,
      String(rows),
      k.toFixed(1),
      String(measured),
      expected.toFixed(0),
    ]),
  );
  return { text: `${attacks}\n\n${touched}`, data: report };
}

function milliseconds(time: number): string {
  return `${time.toFixed(time < 10 ? 3 : 1)} ms`;
}
