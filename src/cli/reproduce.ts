import { Command, InvalidArgumentError } from "commander";
import { check, lookup } from "../core/errors.ts";
import { writeAtomically } from "../data/write-atomically.ts";
import { reproducedMarkdown } from "../experiment/reproduce/markdown.ts";
import { type ReproducedRow, reproduce } from "../experiment/reproduce/reproduce.ts";
import { ResultStore } from "../experiment/reproduce/store.ts";
import { tables } from "../experiment/reproduce/tables.ts";
import { interruptible } from "./interrupt.ts";
import { wholeNumber } from "./options.ts";
import { TerminalSteps } from "./steps.ts";
import { formatTable } from "./table.ts";

interface ReproduceFlags {
  readonly datasets?: string;
  readonly seeds: readonly number[];
  readonly store: string;
  readonly stored?: boolean;
  readonly out?: string;
  readonly dataDir?: string;
  readonly device: string;
  readonly threads?: number;
  readonly json?: boolean;
}

/** `rgnn reproduce <table>` */
export function reproduceCommand(): Command {
  const names = Object.entries(tables).map(([name, { title }]) => `  ${name.padEnd(14)} ${title}`);
  return new Command("reproduce")
    .description("Measure a table of the paper again and compare it with the published values")
    .argument("<table>", `one of ${Object.keys(tables).join(", ")}`)
    .option("--datasets <names>", "only these, separated by commas")
    .option("--seeds <numbers>", "seeds, separated by commas", seedList, [0, 1, 5])
    .option("--store <file>", "results so far; what it holds is not measured again", "rgnn-results/reproduce.jsonl")
    .option("--stored", "show what the store holds and measure nothing")
    .option("--out <file>", "write the table here too, as Markdown")
    .option("--data-dir <folder>", "look here before $RGNN_DATA and the cache folder")
    .option("--device <device>", "cpu, or auto for the fastest there is", "auto")
    .option("--threads <n>", "worker threads of the CPU", wholeNumber)
    .option("--json", "print one JSON object instead of a table")
    .addHelpText("after", `\nTables:\n${names.join("\n")}`)
    .action(run);
}

async function run(name: string, flags: ReproduceFlags): Promise<void> {
  const { seeds, store, stored = false, out, json, datasets: chosen, ...where } = flags;
  const table = lookup(tables, name, "table");
  const datasets = chosen?.split(",") ?? table.datasets;
  const unknown = datasets.find((dataset) => !table.datasets.includes(dataset));
  check(unknown === undefined, () => `table ${name} has no dataset "${unknown}"; it has ${table.datasets.join(", ")}`);
  const rows = await interruptible((signal) =>
    reproduce(table, { datasets, seeds }, new ResultStore(store), {
      where,
      stored,
      steps: new TerminalSteps(),
      signal,
    }),
  );
  const command = `rgnn reproduce ${name}${chosen ? ` --datasets ${chosen}` : ""}${seeds.join() === "0,1,5" ? "" : ` --seeds ${seeds.join()}`}`;
  if (out) await writeAtomically(out, reproducedMarkdown(table.title, command, seeds, rows));
  console.log(json ? JSON.stringify({ table: name, seeds, rows }) : describe(rows));
}

function describe(rows: readonly ReproducedRow[]): string {
  const right = (title: string) => ({ title, align: "right" as const });
  const columns = [
    { title: "dataset" },
    { title: "attack" },
    { title: "loss" },
    right("epsilon"),
    { title: "model" },
    right("here"),
    right("n"),
    right("published"),
    { title: "verdict" },
  ];
  return formatTable(
    columns,
    rows.map((row) => [
      ...[row.dataset, row.attack, row.loss ?? "", row.epsilon === 0 ? "" : String(row.epsilon), row.model],
      ...[`${row.mean.toFixed(3)} ± ${row.deviation.toFixed(3)}`, String(row.values.length)],
      ...[row.published?.mean.toFixed(3) ?? "", row.verdict],
    ]),
  );
}

function seedList(text: string): number[] {
  if (!/^\d+(,\d+)*$/.test(text)) throw new InvalidArgumentError(`must be numbers separated by commas, got "${text}".`);
  return text.split(",").map(Number);
}
