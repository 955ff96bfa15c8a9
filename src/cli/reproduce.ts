import { basename } from "node:path";
import { Command } from "commander";
import { check, lookup, PartialFailure } from "../core/errors.ts";
import { curvesChart } from "../experiment/curves-chart.ts";
import { checkDevice } from "../experiment/open-device.ts";
import { planExperiments } from "../experiment/reproduce/experiment.ts";
import { codeSentence } from "../experiment/reproduce/freshness.ts";
import {
  type Choice,
  type Parts,
  type Report,
  type Reproduction,
  reportMarkdown,
} from "../experiment/reproduce/report.ts";
import { reproductions } from "../experiment/reproduce/reproductions.ts";
import { Results } from "../experiment/reproduce/results.ts";
import { openSession } from "../experiment/session.ts";
import { openFilledStore, openRunStore } from "../experiment/store/open-run-store.ts";
import type { RunStore } from "../experiment/store/store.ts";
import { checkWritable, writeAtomically } from "../files/write-atomically.ts";
import { checkReproductions } from "./check-reproductions.ts";
import { chosenNames } from "./chosen-names.ts";
import { endIfInterrupted } from "./interrupt.ts";
import { measurePlan } from "./measure-plan.ts";
import { epsilonList, seedList, wholeNumber } from "./number-options.ts";
import { allowOnly, given } from "./options.ts";
import { reportText } from "./report-text.ts";
import { CERTIFICATES, certificateFlags, reproduceCertificates } from "./reproduce-certificates.ts";
import { DEFAULT_STORE, PATIENCE } from "./store-place.ts";

export interface ReproduceFlags {
  readonly datasets?: string;
  readonly seeds?: readonly number[];
  readonly models?: string;
  readonly attacks?: string;
  readonly epsilons?: readonly number[];
  readonly store: string;
  readonly artefacts?: string;
  readonly stored?: boolean;
  readonly check?: boolean;
  readonly out?: string;
  readonly dataDir?: string;
  readonly device: string;
  readonly workers?: number;
  readonly threads?: number;
  readonly json?: boolean;
}

/** All tables and figures; the table of certificates is not measured by runs of a study. */
const known: Readonly<Record<string, Pick<Reproduction, "title">>> = { ...reproductions, ...CERTIFICATES };

/** `rgnn reproduce <name>` */
export function reproduceCommand(): Command {
  const names = Object.entries(known).map(([name, { title }]) => `  ${name.padEnd(14)} ${title}`);
  return new Command("reproduce")
    .description("Measure a table or figure of the paper again and compare it with the published values")
    .argument("[name]", `one of ${Object.keys(known).join(", ")}; with --check all of them`)
    .option("--datasets <names>", "only these, separated by commas")
    .option("--seeds <numbers>", "seeds, separated by commas (default: those of the published experiments)", seedList)
    .option("--models <names>", "only these, where a table can be measured in parts")
    .option("--attacks <names>", "only these, likewise; their names are those of the table's own")
    .option("--epsilons <shares>", "only these budgets, likewise", epsilonList)
    .option("--store <place>", "results so far, which are not measured again: a file, or postgres://…", DEFAULT_STORE)
    .option("--artefacts <folder>", "trained models and flips (default: artefacts beside the store)")
    .option("--stored", "show what the store holds, by whichever code, and measure nothing")
    .option("--check", "say which rows in the store other code has measured than this, and measure nothing")
    .option("--out <file>", "write the table here too, as Markdown, and beside it a figure's drawing, as SVG")
    .option("--data-dir <folder>", "look here before $RGNN_DATA and the cache folder")
    .option(
      "--device <device>",
      "cpu, webgpu, or auto: a GPU for large graphs where there is one ($RGNN_GPU: part of its name)",
      "cpu",
    )
    .option("--workers <n>", "processes (default: one per core on small graphs, one on large ones)", wholeNumber)
    .option("--threads <n>", "worker threads of the CPU", wholeNumber)
    .option("--json", "print one JSON object instead of a table")
    .addHelpText("after", `\nTables and figures:\n${names.join("\n")}`)
    .action(run);
}

async function run(name: string | undefined, flags: ReproduceFlags, command: Command): Promise<void> {
  if (flags.check) {
    allowOnly(command, "reproduce --check", ["check", "store", "seeds", "json"]);
    return checkReproductions(name, flags);
  }
  check(name !== undefined, () => `rgnn reproduce needs a table or figure: ${Object.keys(known).join(", ")}`);
  lookup(known, name, "table or figure");
  if (Object.hasOwn(CERTIFICATES, name)) {
    allowOnly(command, `reproduce ${name}`, certificateFlags(flags));
    return reproduceCertificates(flags);
  }
  const reproduction = reproductions[name];
  const isMeasured = reproduction.datasets.length > 0;
  allowOnly(
    command,
    `reproduce ${name}${flags.stored && isMeasured ? " --stored" : ""}`,
    usedFlags(reproduction, flags),
  );
  const { out } = flags;
  const choice = choiceOf(name, reproduction, flags);
  if (out) await checkWritable(out);
  const { report, code, interrupted } = isMeasured
    ? await withStore(name, reproduction, choice, flags)
    : { report: await reproduction.report(choice, new Results([])), code: null, interrupted: false };
  const isWritten = out !== undefined && !interrupted; // a partial table must not replace a complete one
  if (isWritten) await write(out, reproduction.title, report, { command: commandLine(name, flags), code });
  const { rows, verdicts } = report;
  const { seeds } = choice;
  if (flags.json)
    console.log(
      JSON.stringify({ name, seeds, code, rows, ...given({ verdicts }), ...(interrupted && { interrupted }) }),
    );
  else console.log([reportText(report), ...(code === null ? [] : [code])].join("\n\n"));
  if (interrupted && !flags.json)
    console.log(`\nInterrupted: rows or seeds are missing${out ? `, ${out} was not written` : ""}.`);
  endIfInterrupted(interrupted);
}

/** Measures what the store lacks, unless `--stored` is given, and reports on what it holds. */
async function withStore(name: string, reproduction: Reproduction, choice: Choice, flags: ReproduceFlags) {
  const store = flags.stored ? await openFilledStore(flags.store) : await openRunStore(flags.store, PATIENCE);
  try {
    const interrupted = flags.stored ? false : await measure(store, name, reproduction, choice, flags);
    const results = await Results.read(store, choice.datasets);
    const report = await reproduction.report(choice, results);
    check(
      !flags.stored || report.rows.length > 0,
      () => `${store.name}: holds nothing of ${name}; leave out --stored to measure it, or name another with --store`,
    );
    return { report, code: codeSentence(reproduction.experiments(choice), choice.seeds, results), interrupted };
  } finally {
    await store.close();
  }
}

/** Measures what the store does not hold yet; true if it ended before all runs were done. */
async function measure(
  store: RunStore,
  name: string,
  reproduction: Reproduction,
  choice: Choice,
  flags: ReproduceFlags,
): Promise<boolean> {
  const { store: place, artefacts, workers, threads, dataDir } = flags;
  checkDevice({ device: "cpu", ...given({ threads }) });
  const devices = await devicesOf(choice.datasets, flags);
  const experiments = reproduction.experiments(choice);
  const plan = await planExperiments(`reproduce ${name}`, experiments, { seeds: choice.seeds, devices, dataDir });
  const { failed, waiting } = await measurePlan(store, plan, { place, artefacts, workers, threads, dataDir });
  if (failed.length > 0) {
    const first = `the first with: ${failed[0].error}`;
    throw new PartialFailure(`${failed.length} of ${plan.runs.length} runs failed, ${first}`);
  }
  return waiting > 0;
}

/** The device of each graph. Results depend on it, so it is chosen before anything is measured. */
async function devicesOf(datasets: readonly string[], { device, threads, dataDir }: ReproduceFlags) {
  const devices = new Map(datasets.map((dataset) => [dataset, device]));
  if (device !== "auto") return devices;
  for (const dataset of datasets) {
    const session = await openSession({ dataset, device, ...given({ threads, dataDir }) });
    for (const note of session.notes) console.error(note);
    devices.set(dataset, session.device);
    await session.close();
  }
  return devices;
}

function choiceOf(name: string, reproduction: Reproduction, flags: ReproduceFlags): Choice {
  const seeds = seedsOf(name, reproduction, flags);
  const datasets = chosenNames(name, "dataset", reproduction.datasets, flags.datasets?.split(","));
  const parts = reproduction.parts && partsOf(name, reproduction.parts, flags);
  return { datasets, seeds, ...(parts && { parts }) };
}

/** The flags that a reproduction uses; with `--stored` nothing is measured, so flags such as `--device` have no use. */
function usedFlags({ datasets, parts }: Reproduction, { stored }: ReproduceFlags): string[] {
  const isMeasured = datasets.length > 0;
  const where = isMeasured && !stored ? ["device", "threads", "workers", "artefacts", "dataDir"] : [];
  const store = isMeasured ? ["store", "stored"] : [];
  return ["datasets", "seeds", "out", "json", ...where, ...store, ...(parts ? ["models", "attacks", "epsilons"] : [])];
}

function seedsOf(name: string, { seeds, oneSeed = false }: Reproduction, flags: ReproduceFlags): readonly number[] {
  check(!oneSeed || (flags.seeds?.length ?? 1) === 1, () => `${name} takes one seed, got ${flags.seeds?.join()}`);
  return flags.seeds ?? seeds;
}

function partsOf(name: string, parts: Parts, { models, attacks, epsilons }: ReproduceFlags): Parts {
  return {
    models: chosenNames(name, "model", parts.models, models?.split(",")),
    attacks: chosenNames(name, "attack", parts.attacks, attacks?.split(",")),
    epsilons: chosenNames(name, "epsilon", parts.epsilons, epsilons),
  };
}

/** The command that measures the same again. */
function commandLine(name: string, { datasets, seeds, models, attacks, epsilons }: ReproduceFlags): string {
  const asked = Object.entries(given({ datasets, seeds, models, attacks, epsilons }));
  return `rgnn reproduce ${name}${asked.map(([flag, value]) => ` --${flag} ${String(value)}`).join("")}`;
}

/** The report as Markdown and, if it is a figure, its drawing under the same name. */
async function write(
  out: string,
  title: string,
  report: Report,
  source: { readonly command: string; readonly code: string | null },
): Promise<void> {
  const drawing = report.curves ? `${out.replace(/\.md$/, "")}.svg` : null;
  if (drawing) await writeAtomically(drawing, await curvesChart(report.curves!));
  await writeAtomically(out, reportMarkdown(title, report, { ...source, drawing: drawing && basename(drawing) }));
}
