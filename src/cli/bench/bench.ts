import { availableParallelism } from "node:os";
import { Command } from "commander";
import type { Precision } from "../../backend/webgpu/webgpu.ts";
import { cpuDevice, gpuDevice } from "../../bench/bench-device.ts";
import { machine } from "../../bench/machine.ts";
import { check, lookup } from "../../core/errors.ts";
import { checkWritable } from "../../files/write-atomically.ts";
import { wholeNumber } from "../number-options.ts";
import { precisionOption } from "../options.ts";
import { ProgressBar } from "../progress-bar.ts";
import { formatFacts } from "../table.ts";
import { BENCHES, SHAPED, STORING } from "./benches.ts";

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
    .option("--store <place>", "store and workers: an empty one, a file or postgres://…, instead of a file of its own")
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
  readonly store?: string;
  readonly json?: boolean;
}

async function bench(name: string, options: BenchOptions) {
  const { device, precision, shape, scale, nodes, plot, store, json } = options;
  const chosen = lookup(BENCHES, name, "benchmark");
  check(device === "cpu" || device === "webgpu", () => `bench: unknown device "${device}"; known are cpu, webgpu`);
  check(
    precision === undefined || device === "webgpu",
    () => "bench: the CPU computes in single precision; leave out --precision",
  );
  check(shape === undefined || SHAPED.includes(name), () => `bench ${name} has no --shape; ${SHAPED.join(", ")} have`);
  check(
    store === undefined || STORING.includes(name),
    () => `bench ${name} has no --store; ${STORING.join(", ")} have`,
  );
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
  const choice = { threads, shape, scale, nodes, plot, store };
  const { text, data } = await chosen.run(on, choice, bar, show).finally(() => bar.finish());
  console.log(json ? JSON.stringify({ bench: name, machine: where, device: on.description, ...data }) : text);
}

function machineText({ cpu, cores, node, load, threads }: ReturnType<typeof machine> & { threads: number }): string {
  const busy = load > 0.5 ? ": other work is running, kernels and scaling look worse than they are" : "";
  return formatFacts({ cpu, cores: `${cores}, load ${load} at the start${busy}`, node, threads: String(threads) });
}

/** Numbers of nodes, separated by commas. */
function counts(text: string): number[] {
  return text.split(",").map(wholeNumber);
}
