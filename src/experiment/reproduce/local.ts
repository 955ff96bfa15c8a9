import type { LocalResult } from "../../attack/local/local-result.ts";
import { Interrupted } from "../../core/errors.ts";
import { PreparedNodes } from "../attack-nodes.ts";
import { surrogateOf } from "../node-attack-choice.ts";
import { openSession, type Session } from "../session.ts";
import { ratesReport, summariseRates } from "./local-report.ts";
import type { LocalRow, LocalTable } from "./local-tables.ts";
import type { Measurement } from "./measurement.ts";
import { victimKey } from "./measurement.ts";
import { type Choice, type Parts, PUBLISHED_SEEDS, type Report, type Reproduction } from "./report.ts";
import { groupBy, type RunOptions } from "./run-measurements.ts";
import { stopIfAborted } from "./stop-if-aborted.ts";
import type { ResultStore } from "./store.ts";
import { TrainedModels } from "./trained-models.ts";

/** A table of success rates beside the published ones. */
export function localReproduction(table: LocalTable): Reproduction {
  return {
    title: table.title,
    datasets: table.datasets,
    seeds: PUBLISHED_SEEDS,
    parts: partsOf(table),
    stores: true,
    run: (choice, store, options) => reproduceRates(table, choice, store, options),
  };
}

/** All that the rows of a table are about. */
function partsOf(table: LocalTable): Parts {
  const rows = table.datasets.flatMap((dataset) => table.rows(dataset).map(({ published }) => published));
  return {
    models: [...new Set(rows.map(({ model }) => model))],
    attacks: [...new Set(rows.map(({ attack }) => attack))],
    epsilons: [...new Set(rows.map(({ epsilon }) => epsilon))],
  };
}

function isAsked({ published: { model, attack, epsilon } }: LocalRow, { models, attacks, epsilons }: Parts): boolean {
  return models.includes(model) && attacks.includes(attack) && epsilons.includes(epsilon);
}

async function reproduceRates(
  table: LocalTable,
  { datasets, seeds, parts = partsOf(table) }: Choice,
  store: ResultStore,
  options: RunOptions,
): Promise<Report> {
  try {
    if (!options.stored) await measureMissing(table, { datasets, seeds, parts }, store, options);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  }
  const rows = datasets.flatMap((dataset) => table.rows(dataset)).filter((row) => isAsked(row, parts));
  const rates = rows.flatMap((row) => {
    const values = seeds.flatMap((seed) => store.get(measurementOf(row, seed))?.value ?? []);
    return values.length > 0 ? [summariseRates(row, values)] : [];
  });
  return ratesReport(rates, seeds, table.remark);
}

/** Measures what the store does not hold yet: first all of evasion, as poisoning trains a model for every node. */
async function measureMissing(
  table: LocalTable,
  { datasets, seeds, parts }: Required<Choice>,
  store: ResultStore,
  options: RunOptions,
): Promise<void> {
  const isMissing = (row: LocalRow, seed: number) => isAsked(row, parts) && !store.get(measurementOf(row, seed));
  for (const time of ["evasion", "poisoning"]) {
    for (const dataset of datasets) {
      const rows = table.rows(dataset).filter(({ published }) => published.time === time);
      await measure(rows, dataset, seeds, { store, options, isMissing });
    }
  }
}

/** What all measurements of a run share. */
interface RatesRun {
  readonly store: ResultStore;
  readonly options: RunOptions;
  /** Whether a row has to be measured for a seed. */
  isMissing(row: LocalRow, seed: number): boolean;
}

/** The rows of one dataset: each model is trained once per seed, each attack run once. */
async function measure(
  rows: readonly LocalRow[],
  dataset: string,
  seeds: readonly number[],
  run: RatesRun,
): Promise<void> {
  const { options, isMissing } = run;
  if (!seeds.some((seed) => rows.some((row) => isMissing(row, seed)))) return;
  const session = await openSession({ ...options.where, dataset });
  try {
    for (const seed of seeds) {
      const models = new TrainedModels(session, seed, options);
      try {
        for (const [, group] of groupBy(rows, experimentKey)) {
          if (!group.some((row) => isMissing(row, seed))) continue;
          await runExperiment({ ...run, session, models, seed }, group);
        }
      } finally {
        models.dispose();
      }
    }
  } finally {
    await session.close();
  }
}

/** Rows that one run of the published experiments measured: it draws nodes for its budgets one after the other. */
function experimentKey({ label, published: { model }, set }: LocalRow): string {
  return `${label} ${victimKey(model, set)}`;
}

interface Experiment extends RatesRun {
  readonly session: Session;
  readonly models: TrainedModels;
  readonly seed: number;
}

async function runExperiment(experiment: Experiment, rows: readonly LocalRow[]): Promise<void> {
  const { session, models, isMissing, seed } = experiment;
  const { published, options, influence, set } = rows[0];
  const { attack, model } = published;
  const choice = { attack, model, seed, options, influence, set };
  const victim = await models.get(model, set);
  const other = surrogateOf(choice);
  const surrogate = other === model ? victim : await models.get(other);
  const prepared = new PreparedNodes(session, choice, { victim, surrogate, dispose() {} });
  const budgets = [...new Set(rows.map((row) => row.published.epsilon))].sort((a, b) => a - b);
  for (const epsilon of budgets) {
    const nodes = await prepared.nodesFor({ epsilon }); // drawn also where the rates are known, so that the next are the same
    const missing = rows.filter((row) => row.published.epsilon === epsilon && isMissing(row, seed));
    if (missing.length === 0) continue;
    const results = await attackAll(experiment, prepared, missing[0], nodes);
    for (const row of missing) await keepRate(experiment, prepared, row, results);
  }
}

async function attackAll(
  { session, options, seed }: Experiment,
  prepared: PreparedNodes,
  { label, published }: LocalRow,
  nodes: Int32Array,
): Promise<LocalResult[]> {
  const { model, epsilon } = published;
  const progress = options.steps.begin(`${session.dataset} seed ${seed}: ${label} on ${model}, epsilon ${epsilon}`);
  const watch = { progress, ...(options.signal && { signal: options.signal }) };
  const results: LocalResult[] = [];
  for await (const result of prepared.attack(nodes, { epsilon }, watch)) results.push(result);
  stopIfAborted(options.signal); // half an attack is no measurement
  options.steps.end(`succeeded for ${results.filter(({ success }) => success).length} of ${results.length} nodes`);
  return results;
}

/** Stores the success rate of a row, after training a victim for each node where the row is about poisoning. */
async function keepRate(
  { session, store, options, seed }: Experiment,
  prepared: PreparedNodes,
  row: LocalRow,
  found: readonly LocalResult[],
): Promise<void> {
  const { label, published } = row;
  const seconds = found.reduce((sum, result) => sum + result.seconds, 0);
  let successes = found.filter(({ success }) => success).length;
  if (published.time === "poisoning") {
    const what = `${session.dataset} seed ${seed}: ${label} poisons ${published.model}, epsilon ${published.epsilon}`;
    const progress = options.steps.begin(what);
    successes = 0;
    const watch = { progress, ...(options.signal && { signal: options.signal }) };
    for await (const { success } of prepared.poisoned(found, watch)) if (success) successes++;
    stopIfAborted(options.signal);
    options.steps.end(`succeeded for ${successes} of ${found.length} nodes`);
  }
  store.put(measurementOf(row, seed), { value: successes / found.length, seconds });
}

function measurementOf({ published, options, influence, set }: LocalRow, seed: number): Measurement {
  const { dataset, attack, epsilon, model, time } = published;
  return {
    dataset,
    seed,
    surrogate: surrogateOf({ attack, model, seed }),
    attack,
    loss: null,
    options,
    epsilon,
    victim: model,
    ...(Object.keys(set).length > 0 && { set }),
    local: { time, influence },
  };
}
