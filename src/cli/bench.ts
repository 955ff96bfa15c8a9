import { availableParallelism } from "node:os";
import { Command } from "commander";
import { createWasm } from "../backend/wasm/wasm.ts";
import { createWebGpu } from "../backend/webgpu/webgpu.ts";
import { benchAttack } from "../bench/attack.ts";
import { type Ceilings, measureCeilings } from "../bench/ceilings.ts";
import { benchDefence, type DefenceReport } from "../bench/defence.ts";
import { benchGpuKernels } from "../bench/gpu-kernels.ts";
import { benchKernels, type KernelResult } from "../bench/kernels.ts";
import { machine } from "../bench/machine.ts";
import { benchPush } from "../bench/push.ts";
import { benchTrain, type EpochReport, type EpochResult } from "../bench/train.ts";
import { check, lookup } from "../core/errors.ts";
import type { Progress } from "../core/progress.ts";
import { wholeNumber } from "./options.ts";
import { ProgressBar } from "./progress-bar.ts";
import { formatBytes, formatFacts, formatTable } from "./table.ts";

/** What a benchmark found: for people, and for `--json`. */
interface Outcome {
  readonly text: string;
  readonly data: object;
}

interface Bench {
  readonly summary: string;
  run(threads: number, progress: Progress): Promise<Outcome>;
  /** The same on a GPU, where there is such a thing. */
  onGpu?(progress: Progress): Promise<Outcome>;
}

const BENCHES: Record<string, Bench> = {
  kernels: {
    summary: "time of every kernel beside what the machine can do at best",
    async run(threads, progress) {
      const { ceilings, kernels } = await benchKernels(threads, progress);
      return { text: `${ceilingTable(ceilings)}\n\n${kernelTable(kernels)}`, data: { ceilings, kernels } };
    },
    async onGpu(progress) {
      const report = await benchGpuKernels(progress);
      const text = `${report.device}\n\n${ceilingTable(report.ceilings)}\n\n${kernelTable(report.kernels)}`;
      return { text, data: report };
    },
  },
  train: {
    summary: "training epochs of a GCN on the shapes of Cora ML, PubMed and arxiv, and PageRank push on the last",
    async run(threads, progress) {
      const { text, data } = epochOutcome(await benchTrain(threads, progress));
      const push = await benchPush(threads);
      const rows = `${Math.round(push.rowsPerSecond)} rows/s, ${Math.round(push.rowsPerSecondPerThread)} per thread`;
      return {
        text: `${text}\n\npush on arxiv, alpha ${push.alpha}, epsilon ${push.epsilon}: ${rows}`,
        data: { ...data, push },
      };
    },
  },
  attack: {
    summary: "epochs of PR-BCD and GR-BCD on these shapes, for several block sizes",
    run: async (threads, progress) => epochOutcome(await benchAttack(threads, progress)),
  },
  defence: {
    summary: "Soft Median beside a sparse product, the adaptive attack beside a dense inverse",
    run: async (threads, progress) => defenceOutcome(await benchDefence(() => createWasm({ threads }), progress)),
    onGpu: async (progress) => defenceOutcome(await benchDefence(() => createWebGpu(), progress)),
  },
  ceilings: {
    summary: "bandwidth and multiply-add rate of the machine",
    async run(threads) {
      const ceilings = [];
      for (const count of threads === 1 ? [1] : [1, threads]) ceilings.push(await measureCeilings(count));
      return { text: ceilingTable(ceilings), data: { ceilings } };
    },
  },
};

/** `rgnn bench [name]` */
export function benchCommand(): Command {
  const names = Object.entries(BENCHES).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`);
  return new Command("bench")
    .description("Measure this machine and the kernels on it; answers are checked")
    .argument("[name]", "what to measure", "kernels")
    .option("--threads <n>", "compare one thread with this many (default: all cores)", wholeNumber)
    .option("--device <device>", "cpu or webgpu (kernels and defence)", "cpu")
    .option("--json", "print one JSON object instead of a table")
    .addHelpText("after", `\nBenchmarks:\n${names.join("\n")}\n\nExample: rgnn bench kernels --threads 2`)
    .action(bench);
}

interface BenchOptions {
  readonly threads?: number;
  readonly device: string;
  readonly json?: boolean;
}

async function bench(name: string, { threads = availableParallelism(), device, json }: BenchOptions) {
  const chosen = lookup(BENCHES, name, "benchmark");
  const { onGpu } = chosen;
  check(device === "cpu" || device === "webgpu", () => `bench: unknown device "${device}"; known are cpu, webgpu`);
  check(
    device === "cpu" || onGpu !== undefined,
    () => `bench ${name} runs on the CPU only; kernels and defence run on webgpu too`,
  );
  const where = { ...machine(), threads };
  const bar = new ProgressBar();
  const running = device === "webgpu" ? onGpu!(bar) : chosen.run(threads, bar);
  const { text, data } = await running.finally(() => bar.finish());
  if (json) console.log(JSON.stringify({ bench: name, machine: where, ...data }));
  else console.log(`${machineText(where)}\n\n${text}`);
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
  return formatTable(
    columns.map((title) => ({ title, align: "right" })),
    ceilings.map(({ threads, stream, gather, shared, cached, flops, words }) => [
      String(threads),
      giga(stream, "GB/s"),
      giga(gather, "GB/s"),
      giga(shared, "GB/s"),
      giga(cached, "GB/s"),
      giga(flops, "GFLOP/s"),
      `${(words / 1e6).toFixed(0)} Mword/s`,
    ]),
  );
}

function epochOutcome(report: EpochReport): Outcome {
  return { text: `${ceilingTable([report.ceilings])}\n\n${epochTable(report.epochs)}`, data: report };
}

function epochTable(epochs: readonly EpochResult[]): string {
  const right = (title: string) => ({ title, align: "right" as const });
  const columns = [{ title: "shape" }, { title: "what" }, right("per epoch"), right("floor"), right("reached")];
  return formatTable(
    [...columns, right("memory"), { title: "check" }],
    epochs.map(({ shape, what, secondsPerEpoch, floor, ratio, peakBytes, check }) => [
      ...[
        shape,
        what,
        milliseconds(1000 * secondsPerEpoch),
        milliseconds(1000 * floor),
        `${Math.round(100 * ratio)} %`,
      ],
      ...[formatBytes(peakBytes), check],
    ]),
  );
}

function kernelTable(kernels: readonly KernelResult[]): string {
  const right = (title: string) => ({ title, align: "right" as const });
  const columns = [
    { title: "kernel" },
    { title: "shape" },
    right("1 thread"),
    right("all"),
    right("best"),
    right("scaling"),
  ];
  columns.push({ title: "bound" }, right("floor"), right("reached"));
  return formatTable(
    columns,
    kernels.map(({ kernel, shape, timings, scaling, bound, floor, ratio }) => [
      kernel,
      shape,
      milliseconds(timings[0]!.median),
      milliseconds(timings.at(-1)!.median),
      milliseconds(timings.at(-1)!.best),
      scaling.toFixed(2),
      bound,
      milliseconds(floor),
      `${Math.round(100 * ratio)} %`,
    ]),
  );
}

function defenceOutcome(report: DefenceReport): Outcome {
  const { aggregation, adaptive } = report;
  const { shape, product, softMedian, ratio, extraBytes, entryBytes } = aggregation;
  const right = (title: string) => ({ title, align: "right" as const });
  const table = formatTable(
    [{ title: shape }, right("sparse product"), right("Soft Median"), right("/ one product")],
    (["forward", "backward"] as const).map((pass) => [
      pass,
      milliseconds(product[pass]),
      milliseconds(softMedian[pass]),
      ratio[pass].toFixed(1),
    ]),
  );
  const memory = `memory beyond matrix and features ${formatBytes(extraBytes)}; a float per entry takes ${formatBytes(entryBytes)}`;
  const seconds = (time: number) => `${time.toFixed(2)} s`;
  const facts = formatFacts({
    "adaptive attack": adaptive.shape,
    "our epoch": seconds(adaptive.secondsPerEpoch),
    "early epoch": seconds(adaptive.secondsPerEarlyEpoch),
    "dense inverse": seconds(adaptive.denseInverse),
    "dense gradient": seconds(adaptive.denseGradient),
    gain: `${adaptive.gain.toFixed(1)} times`,
  });
  const together = `forward and backward together ${ratio.both.toFixed(1)} products`;
  return { text: `${table}\n${together}\n${memory}\n\n${facts}`, data: report };
}

function milliseconds(time: number): string {
  return `${time.toFixed(time < 10 ? 3 : 1)} ms`;
}
