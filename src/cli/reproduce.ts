import { basename } from "node:path";
import { Command } from "commander";
import { check, lookup } from "../core/errors.ts";
import { curvesChart } from "../experiment/curves-chart.ts";
import {
  mainTable,
  type Parts,
  type Report,
  type Reproduction,
  reportMarkdown,
} from "../experiment/reproduce/report.ts";
import { reproductions } from "../experiment/reproduce/reproductions.ts";
import { ResultStore } from "../experiment/reproduce/store.ts";
import { checkWritable, writeAtomically } from "../files/write-atomically.ts";
import { endIfInterrupted, interruptible } from "./interrupt.ts";
import { epsilonList, seedList, wholeNumber } from "./number-options.ts";
import { allowOnly, given } from "./options.ts";
import { TerminalSteps } from "./steps.ts";
import { formatTable } from "./table.ts";

interface ReproduceFlags {
  readonly datasets?: string;
  readonly seeds?: readonly number[];
  readonly models?: string;
  readonly attacks?: string;
  readonly epsilons?: readonly number[];
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
    .option("--models <names>", "only these, where a table can be measured in parts")
    .option("--attacks <names>", "only these, likewise; their names are those of the table's own")
    .option("--epsilons <shares>", "only these budgets, likewise", epsilonList)
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
  const datasets = chosen(name, "dataset", reproduction.datasets, flags.datasets?.split(","));
  const parts = reproduction.parts && partsOf(name, reproduction.parts, flags);
  if (out) await checkWritable(out);
  const results = new ResultStore(store);
  if (reproduction.stores && !stored) results.checkWritable();
  const { report, interrupted } = await interruptible(async (signal) => {
    const where = given({ device, threads, dataDir });
    const options = { where, stored, steps: new TerminalSteps(), signal };
    const measured = await reproduction.run({ datasets, seeds, ...(parts && { parts }) }, results, options);
    return { report: measured, interrupted: signal.aborted };
  });
  check(
    !stored || report.rows.length > 0,
    () => `${store}: holds nothing of ${name}; leave out --stored to measure it, or name another file with --store`,
  );
  const written = out !== undefined && !interrupted; // half a table does not replace a whole one
  if (written) await write(out, title, commandLine(name, flags), report);
  const { rows, verdicts } = report;
  if (json)
    console.log(JSON.stringify({ name, seeds, rows, ...given({ verdicts }), ...(interrupted && { interrupted }) }));
  else console.log(reportText(report));
  if (interrupted && !json)
    console.log(`\nInterrupted: rows or seeds are missing${out ? `, ${out} was not written` : ""}.`);
  endIfInterrupted(interrupted);
}

/** The flags that a reproduction makes use of; with --stored nothing is measured, so that no device is. */
function usedFlags({ datasets, stores, parts }: Reproduction, { stored }: ReproduceFlags): string[] {
  const where = datasets.length > 0 && !stored ? ["device", "threads", "dataDir"] : [];
  const store = stores ? ["store", "stored"] : [];
  return ["datasets", "seeds", "out", "json", ...where, ...store, ...(parts ? ["models", "attacks", "epsilons"] : [])];
}

function seedsOf(name: string, { seeds, oneSeed = false }: Reproduction, flags: ReproduceFlags): readonly number[] {
  check(!oneSeed || (flags.seeds?.length ?? 1) === 1, () => `${name} takes one seed, got ${flags.seeds?.join()}`);
  return flags.seeds ?? seeds;
}

function partsOf(name: string, parts: Parts, { models, attacks, epsilons }: ReproduceFlags): Parts {
  return {
    models: chosen(name, "model", parts.models, models?.split(",")),
    attacks: chosen(name, "attack", parts.attacks, attacks?.split(",")),
    epsilons: chosen(name, "epsilon", parts.epsilons, epsilons),
  };
}

/** Those that were asked for, all of which there must be; all if nothing was said. */
function chosen<T extends string | number>(name: string, what: string, all: readonly T[], asked = all): readonly T[] {
  const unknown = asked.find((item) => !all.includes(item));
  check(unknown === undefined, () => `${name} has no ${what} "${unknown}"; it has ${all.join(", ") || "none"}`);
  return asked;
}

/** The command that measures the same again. */
function commandLine(name: string, { datasets, seeds, models, attacks, epsilons }: ReproduceFlags): string {
  const asked = Object.entries(given({ datasets, seeds, models, attacks, epsilons }));
  return `rgnn reproduce ${name}${asked.map(([flag, value]) => ` --${flag} ${String(value)}`).join("")}`;
}

/** All tables and verdicts of a report, for a terminal. */
function reportText(report: Report): string {
  const { verdicts = [], sections = [] } = report;
  const tables = mainTable(report).map(({ columns, cells }) => formatTable(columns, cells));
  const more = sections.map(({ title, columns, cells }) => `${title}\n\n${formatTable(columns, cells)}`);
  return [...tables, ...more, ...(verdicts.length > 0 ? [verdicts.join("\n")] : [])].join("\n\n");
}

/** The report as Markdown and, if it is a figure, its drawing under the same name. */
async function write(out: string, title: string, command: string, report: Report): Promise<void> {
  const drawing = report.curves ? `${out.replace(/\.md$/, "")}.svg` : null;
  if (drawing) await writeAtomically(drawing, await curvesChart(report.curves!));
  await writeAtomically(out, reportMarkdown(title, command, report, drawing && basename(drawing)));
}
