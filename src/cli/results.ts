import { Command, InvalidArgumentError } from "commander";
import { check, lookup } from "../core/errors.ts";
import { compareModels } from "../experiment/results/compare-models.ts";
import { allRuns, groupResults } from "../experiment/results/group-results.ts";
import { checkFilter } from "../experiment/results/known-values.ts";
import { type MergeChoice, mergeStores } from "../experiment/results/merge-stores.ts";
import { readableRows } from "../experiment/results/readable-rows.ts";
import { TABLE_FORMATS, type TableRow } from "../experiment/results/table-formats.ts";
import { openFilledStore, openRunStore } from "../experiment/store/open-run-store.ts";
import {
  CELL_COLUMNS,
  type CellColumn,
  type RunFilter,
  type RunState,
  type RunStore,
} from "../experiment/store/store.ts";
import { measuringCode } from "../experiment/study/code-hash.ts";
import { left, right } from "../experiment/table-column.ts";
import { writeAtomically } from "../files/write-atomically.ts";
import { epsilonList, seedList, wholeNumber } from "./number-options.ts";
import { given } from "./options.ts";
import { DEFAULT_STORE } from "./store-place.ts";
import { formatTable } from "./table.ts";

interface ResultsFlags {
  readonly store: string;
  readonly study?: string;
  readonly dataset?: readonly string[];
  readonly split?: readonly string[];
  readonly model?: readonly string[];
  readonly attack?: readonly string[];
  readonly loss?: readonly string[];
  readonly surrogate?: readonly string[];
  readonly time?: readonly string[];
  readonly quantity?: readonly string[];
  readonly device?: readonly string[];
  readonly code?: readonly string[];
  readonly epsilon?: readonly number[];
  readonly seed?: readonly number[];
  readonly state?: readonly RunState[];
  readonly by?: readonly CellColumn[];
  readonly current?: boolean;
  readonly runs?: boolean;
  readonly compare?: readonly string[];
  readonly merge?: string;
  readonly newest?: boolean;
  readonly limit?: number;
  readonly format?: string;
  readonly out?: string;
  readonly json?: boolean;
}

/** Most rows on a terminal without `--limit`. */
const MOST_SHOWN = 1000;

/** Formats that have every column and every digit. */
const FOR_PROGRAMS = ["csv", "json", "parquet"];

/** Columns by which results are chosen, with their help. */
const ONLY = {
  dataset: "only these graphs",
  split: "only these splits",
  model: "only these victims",
  attack: "only these attacks; none for clean graphs",
  loss: "only these losses",
  surrogate: "only flips that were found on these models",
  time: "only evasion, or only poisoning",
  quantity: "only this quantity, such as accuracy or success-rate",
  device: "only what was measured on cpu, or on webgpu",
  code: "only what these versions of the code have measured",
};

/** `rgnn results` */
export function resultsCommand(): Command {
  const command = new Command("results")
    .description("Filter, average, compare and export the results of studies")
    .option("--store <place>", "a file, or postgres://user:password@host/database", DEFAULT_STORE)
    .optionsGroup("Only some results (values separated by commas):")
    .option("--study <name>", "only runs of this study");
  for (const column of Object.keys(ONLY) as (keyof typeof ONLY)[])
    command.option(`--${column} <values>`, ONLY[column], texts);
  return command
    .option("--epsilon <shares>", "only these budgets", epsilonList)
    .option("--seed <n>", "only these seeds", seedList)
    .option("--state <states>", "with --runs, only these: waiting, running, done, failed", states)
    .option("--current", "only results of the code as it is now; with --merge, only these are taken over")
    .optionsGroup("What to show of them:")
    .option("--by <columns>", `one row for each combination of these: ${CELL_COLUMNS.join(", ")}`, columns)
    .option("--runs", "one row per run instead of means")
    .option(
      "--compare <models>",
      "which of two models is more robust, in pairs of runs with the same seed: gcn,gdc",
      texts,
    )
    .optionsGroup("Other stores:")
    .option("--merge <place>", "first take over the results of this store, with the studies that they belong to")
    .option(
      "--newest",
      "with --merge, leave behind what newer code has measured again; into a new store, this cleans one",
    )
    .optionsGroup("Output:")
    .option("--limit <n>", `rows at most (default: ${MOST_SHOWN} on a terminal, all in other formats)`, wholeNumber)
    .option("--format <format>", `${Object.keys(TABLE_FORMATS).join(", ")} instead of a table for terminals`)
    .option("--out <file>", "write here, in the format that the ending names")
    .option("--json", "the same as --format json")
    .addHelpText(
      "after",
      "\nExample:\n  rgnn results --dataset cora_ml --attack prbcd --by model,epsilon --out table.tex",
    )
    .action(run);
}

async function run(flags: ResultsFlags): Promise<void> {
  const { out, json, format = json ? "json" : out?.split(".").at(-1) } = flags;
  const write = format === undefined ? null : lookup(TABLE_FORMATS, format, "format");
  check(!flags.current || flags.code === undefined, () => "--current and --code say the same; give one of them");
  check(!flags.newest || flags.merge !== undefined, () => "--newest is about what is taken over; give --merge too");
  check(flags.state === undefined || flags.runs === true, () => "--state is about single runs; give --runs too");
  check(
    flags.compare === undefined || flags.compare.length === 2,
    () => `--compare takes two models, got ${flags.compare?.join()}`,
  );
  check(
    flags.compare === undefined || (!flags.runs && flags.by === undefined),
    () => "--compare has rows of its own; leave out --runs and --by",
  );
  const { store: place, merge } = flags;
  const store = merge === undefined ? await openFilledStore(place) : await openMerged(place, merge, flags);
  try {
    const limit = flags.limit ?? (write === null ? MOST_SHOWN : Number.MAX_SAFE_INTEGER - 1);
    const found = await rowsOf(store, flags, limit + 1);
    const all = found.slice(0, limit);
    const rows = FOR_PROGRAMS.includes(format ?? "") ? all : readableRows(all, flags.by);
    if (out !== undefined) await writeAtomically(out, await write!(rows));
    else if (write === null) console.log(tableText(rows));
    else process.stdout.write(await write(rows));
    if (found.length > limit) console.error(`these are the first ${limit} rows; --limit takes more`);
  } finally {
    await store.close();
  }
}

/** The rows that the flags ask for; of runs and groups at most so many. */
async function rowsOf(store: RunStore, flags: ResultsFlags, most: number): Promise<TableRow[]> {
  const { study, dataset, split, model, attack, loss, surrogate, time, quantity, device, epsilon, seed } = flags;
  const code = flags.current ? measuringCode() : flags.code;
  const wanted = { study, dataset, split, model, attack, loss, surrogate, time, quantity, device, code, epsilon, seed };
  const filter: RunFilter = given(wanted);
  const named = { ...wanted, code: flags.code, model: flags.compare ? [...(model ?? []), ...flags.compare] : model };
  await checkFilter(store, given(named));
  if (flags.runs)
    return (await allRuns(store, { ...filter, ...given({ state: flags.state }) })).slice(0, most).map(runRow);
  if (flags.compare) return (await compareModels(store, filter, [flags.compare[0], flags.compare[1]])).map(flat);
  const groups = await groupResults(store, filter, flags.by ?? CELL_COLUMNS, most);
  return groups.map(({ group, ...numbers }) => ({ ...group, ...flat(numbers) }));
}

/** A run as a row of a table, without the numbers of run and cell, which mean something in the store only. */
function runRow({ number: _, cell: __, ...row }: Awaited<ReturnType<typeof allRuns>>[number]): TableRow {
  return { ...row };
}

/** An interval as two columns. */
function flat<T extends { readonly interval: readonly [number, number] | null }>(row: T): TableRow {
  const { interval, ...rest } = row;
  return { ...(rest as object), low: interval?.[0] ?? null, high: interval?.[1] ?? null };
}

/** Opens a store, which is made if it is not there, and adds the results of another. */
async function openMerged(
  place: string,
  from: string,
  { newest = false, current = false }: ResultsFlags,
): Promise<RunStore> {
  const other = await openFilledStore(from); // first: if this fails, no new store is made
  try {
    const store = await openRunStore(place);
    const choice = { newestOnly: newest, ...(current && { code: measuringCode() }) };
    await mergeFrom(store, other, choice).catch((error) => store.close().then(() => Promise.reject(error)));
    return store;
  } finally {
    await other.close();
  }
}

async function mergeFrom(store: RunStore, other: RunStore, choice: MergeChoice): Promise<void> {
  const { added, differing } = await mergeStores(store, other, choice);
  console.error(`${added} runs of ${other.name} are in ${store.name} now`);
  if (differing.length > 0)
    console.error(
      `${differing.length} runs have other results there; those here stay: ${differing.slice(0, 5).join(", ")}`,
    );
}

function tableText(rows: readonly TableRow[]): string {
  if (rows.length === 0) return "no results";
  const names = Object.keys(rows[0]);
  const isNumber = (name: string) => rows.some((row) => typeof row[name] === "number");
  const cell = (value: string | number | null) =>
    value === null ? "" : typeof value === "number" && !Number.isInteger(value) ? value.toFixed(4) : String(value);
  return formatTable(
    names.map((name) => (isNumber(name) ? right(name) : left(name))),
    rows.map((row) => names.map((name) => cell(row[name]))),
  );
}

/** `gcn,mlp`: texts, separated by commas. */
function texts(text: string): readonly string[] {
  return text.split(",");
}

function columns(text: string): readonly CellColumn[] {
  const names = texts(text);
  const unknown = names.find((name) => !(CELL_COLUMNS as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`knows no column "${unknown}"; there are ${CELL_COLUMNS.join(", ")}.`);
  return names as CellColumn[];
}

function states(text: string): readonly RunState[] {
  const known = ["waiting", "running", "done", "failed"];
  const unknown = texts(text).find((state) => !known.includes(state));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`knows no state "${unknown}"; there are ${known.join(", ")}.`);
  return texts(text) as RunState[];
}
