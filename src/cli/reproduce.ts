import { basename } from "node:path";
import { Command } from "commander";
import { check, lookup } from "../core/errors.ts";
import { curvesChart } from "../experiment/curves-chart.ts";
import { type Report, type Reproduction, reportMarkdown } from "../experiment/reproduce/report.ts";
import { reproductions } from "../experiment/reproduce/reproductions.ts";
import { ResultStore } from "../experiment/reproduce/store.ts";
import { checkWritable, writeAtomically } from "../files/write-atomically.ts";
import { endIfInterrupted, interruptible } from "./interrupt.ts";
import { seedList, wholeNumber } from "./number-options.ts";
import { allowOnly, given } from "./options.ts";
import { TerminalSteps } from "./steps.ts";
import { formatTable } from "./table.ts";

interface ReproduceFlags {
  readonly datasets?: string;
  readonly seeds?: readonly number[];
  readonly store: string;
  readonly stored?: boolean;
  readonly out?: string;
  readonly dataDir?: string;
  readonly device: string;
  readonly threads?: number;
  readonly json?: boolean;
}

/** `rgnn reproduce <name>` */
export function reproduceCommand(): Command {
  const names = Object.entries(reproductions).map(([name, { title }]) => `  ${name.padEnd(14)} ${title}`);
  return new Command("reproduce")
    .description("Measure a table or figure of the paper again and compare it with the published values")
    .argument("<name>", `one of ${Object.keys(reproductions).join(", ")}`)
    .option("--datasets <names>", "only these, separated by commas")
    .option("--seeds <numbers>", "seeds, separated by commas (default: those of the published experiments)", seedList)
    .option("--store <file>", "results so far; what it holds is not measured again", "rgnn-results/reproduce.jsonl")
    .option("--stored", "show what the store holds and measure nothing")
    .option("--out <file>", "write the table here too, as Markdown, and beside it a figure's drawing, as SVG")
    .option("--data-dir <folder>", "look here before $RGNN_DATA and the cache folder")
    .option("--device <device>", "cpu, webgpu, or auto: a GPU for large graphs where there is one", "cpu")
    .option("--threads <n>", "worker threads of the CPU", wholeNumber)
    .option("--json", "print one JSON object instead of a table")
    .addHelpText("after", `\nTables and figures:\n${names.join("\n")}`)
    .action(run);
}

async function run(name: string, flags: ReproduceFlags, command: Command): Promise<void> {
  const reproduction = lookup(reproductions, name, "table or figure");
  const asked = `reproduce ${name}${flags.stored && reproduction.stores ? " --stored" : ""}`;
  allowOnly(command, asked, usedFlags(reproduction, flags));
  const { title } = reproduction;
  const { store, stored = false, out, json, device, threads, dataDir } = flags;
  const seeds = seedsOf(name, reproduction, flags);
  const datasets = datasetsOf(name, reproduction, flags);
  if (out) await checkWritable(out);
  const results = new ResultStore(store);
  if (reproduction.stores && !stored) results.checkWritable();
  const { report, interrupted } = await interruptible(async (signal) => {
    const where = given({ device, threads, dataDir });
    const options = { where, stored, steps: new TerminalSteps(), signal };
    const measured = await reproduction.run({ datasets, seeds }, results, options);
    return { report: measured, interrupted: signal.aborted };
  });
  check(
    !stored || report.rows.length > 0,
    () => `${store}: holds nothing of ${name}; leave out --stored to measure it, or name another file with --store`,
  );
  const written = out !== undefined && !interrupted; // half a table does not replace a whole one
  if (written) await write(out, title, commandLine(name, flags), report);
  if (json) console.log(JSON.stringify({ name, seeds, rows: report.rows, ...(interrupted && { interrupted }) }));
  else console.log(formatTable(report.columns, report.cells));
  if (interrupted && !json)
    console.log(`\nInterrupted: rows or seeds are missing${out ? `, ${out} was not written` : ""}.`);
  endIfInterrupted(interrupted);
}

/** The flags that a reproduction makes use of; with --stored nothing is measured, so that no device is. */
function usedFlags({ datasets, stores }: Reproduction, { stored }: ReproduceFlags): string[] {
  const where = datasets.length > 0 && !stored ? ["device", "threads", "dataDir"] : [];
  const store = stores ? ["store", "stored"] : [];
  return ["datasets", "seeds", "out", "json", ...where, ...store];
}

function seedsOf(name: string, { seeds, oneSeed = false }: Reproduction, flags: ReproduceFlags): readonly number[] {
  check(!oneSeed || (flags.seeds?.length ?? 1) === 1, () => `${name} takes one seed, got ${flags.seeds?.join()}`);
  return flags.seeds ?? seeds;
}

function datasetsOf(name: string, { datasets: all }: Reproduction, flags: ReproduceFlags): readonly string[] {
  const chosen = flags.datasets?.split(",") ?? all;
  const unknown = chosen.find((dataset) => !all.includes(dataset));
  check(unknown === undefined, () => `${name} has no dataset "${unknown}"; it has ${all.join(", ") || "none"}`);
  return chosen;
}

/** The command that measures the same again. */
function commandLine(name: string, { datasets, seeds }: ReproduceFlags): string {
  const only = datasets ? ` --datasets ${datasets}` : "";
  const others = seeds ? ` --seeds ${seeds.join()}` : "";
  return `rgnn reproduce ${name}${only}${others}`;
}

/** The report as Markdown and, if it is a figure, its drawing under the same name. */
async function write(out: string, title: string, command: string, report: Report): Promise<void> {
  const drawing = report.curves ? `${out.replace(/\.md$/, "")}.svg` : null;
  if (drawing) await writeAtomically(drawing, await curvesChart(report.curves!));
  await writeAtomically(out, reportMarkdown(title, command, report, drawing && basename(drawing)));
}
