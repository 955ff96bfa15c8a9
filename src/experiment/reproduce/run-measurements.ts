import { edgeBudget } from "../../attack/budget.ts";
import { globalAttacks } from "../../attack/global-attacks.ts";
import { polish } from "../../attack/polish/polish.ts";
import { Interrupted, lookup } from "../../core/errors.ts";
import type { Rng } from "../../core/rng.ts";
import { attackRng } from "../../defense/build-model.ts";
import { type Flips, noFlips } from "../../graph/flips.ts";
import type { Model } from "../../nn/model.ts";
import { withFlips } from "../../tensor/index.ts";
import type { Steps } from "../robustness.ts";
import { type AttackChoice, type Resume, runAttack } from "../run-attack.ts";
import { openSession, type Session, type SessionOptions } from "../session.ts";
import { type Measurement, measurementKey } from "./measurement.ts";
import { quantities } from "./quantities.ts";
import { stopIfAborted } from "./stop-if-aborted.ts";
import type { ResultStore } from "./store.ts";
import { TrainedModels } from "./trained-models.ts";

export interface RunOptions {
  readonly where: Omit<SessionOptions, "dataset">;
  /** Measure nothing; what the store holds is all there is. */
  readonly stored?: boolean;
  /** Train on the CPU wherever attacks run, so that what several devices measure is about the same weights. */
  readonly trainOnCpu?: boolean;
  readonly steps: Steps;
  readonly signal?: AbortSignal;
}

/**
 * Measures what the store does not hold yet: dataset by dataset, each model trained once per seed, each attack run once. Ended
 * early, it comes back at once: the store holds whole measurements only.
 */
export async function runMeasurements(
  all: readonly Measurement[],
  store: ResultStore,
  options: RunOptions,
): Promise<void> {
  try {
    await measureMissing(all, store, options);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  }
}

async function measureMissing(all: readonly Measurement[], store: ResultStore, options: RunOptions): Promise<void> {
  const missing = all.filter((measurement) => !store.get(measurement));
  for (const [dataset, ofDataset] of groupBy(missing, ({ dataset }) => dataset)) {
    const session = await openSession({ ...options.where, dataset });
    try {
      for (const [, ofSeed] of groupBy(ofDataset, ({ seed }) => String(seed)))
        await runSeed(session, ofSeed, store, options);
    } finally {
      await session.close();
    }
  }
}

async function runSeed(
  session: Session,
  measurements: readonly Measurement[],
  store: ResultStore,
  options: RunOptions,
): Promise<void> {
  const models = new TrainedModels(session, measurements[0].seed, options);
  const run: SeedRun = { session, models, store, options };
  try {
    for (const [, attacks] of groupBy(measurements, attackKey)) {
      for await (const found of findFlips(run, attacks)) {
        const ofBudget = attacks.filter(({ epsilon }) => epsilon === found.epsilon);
        await evaluateAll(
          run,
          found,
          ofBudget.filter(({ polish: rounds }) => rounds === undefined),
        );
        for (const measurement of ofBudget.filter(({ polish: rounds }) => rounds !== undefined))
          await evaluateAll(run, await polishOnVictim(run, found, measurement), [measurement]);
      }
    }
  } finally {
    await models.dispose();
  }
}

/** What all measurements of a seed share. */
interface SeedRun {
  readonly session: Session;
  readonly models: TrainedModels;
  readonly store: ResultStore;
  readonly options: RunOptions;
}

/** Measures these on the graph with the flips, which is one for all: models share what depends on its edges alone. */
async function evaluateAll(
  { session, models, store, options }: SeedRun,
  { flips, seconds }: FoundFlips,
  measurements: readonly Measurement[],
): Promise<void> {
  if (measurements.length === 0) return;
  const perturbed = withFlips(session.view, flips);
  try {
    for (const measurement of measurements) {
      stopIfAborted(options.signal);
      const { victim, set, quantity = "accuracy", seed } = measurement;
      const model = await models.get(victim, set);
      const value = await quantities[quantity](model, session, perturbed, seed);
      const clean = await models.cleanAccuracy(victim, set);
      store.put(measurement, { value, seconds, clean, device: session.device });
    }
  } finally {
    perturbed.dispose();
  }
}

/** The flips after some rounds of polish on the victim. */
async function polishOnVictim(
  { session, models, options }: SeedRun,
  found: FoundFlips,
  { victim, set, seed, polish: rounds = 0 }: Measurement,
): Promise<FoundFlips> {
  const { steps, signal } = options;
  const model = await models.get(victim, set);
  const progress = steps.begin(`${session.dataset} seed ${seed}: polish on ${victim}, epsilon ${found.epsilon}`);
  const budget = edgeBudget(session.graph, found.epsilon);
  const task = { nodes: session.split(seed).test, budget, rng: attackRng(seed), progress, ...(signal && { signal }) };
  const { perturbation, cost, accuracy } = await polish(model, session.view, task, found.flips, { rounds });
  stopIfAborted(signal);
  steps.end(`to ${accuracy.adversarial.toFixed(3)} in ${cost.seconds.toFixed(1)} s`);
  return { ...found, flips: perturbation.flips, seconds: found.seconds + cost.seconds };
}

interface FoundFlips {
  readonly epsilon: number;
  readonly flips: Flips;
  readonly seconds: number;
}

/** The flips of one attack for each budget, as they are found. */
async function* findFlips(
  { session, models, options }: SeedRun,
  group: readonly Measurement[],
): AsyncGenerator<FoundFlips> {
  const { surrogate, attack, seed } = group[0];
  if (attack === null || surrogate === null) return yield { epsilon: 0, flips: noFlips, seconds: 0 };
  const model = await models.get(surrogate);
  const run = (epsilon: number, resume?: Resume) =>
    runOnce({ session, model, measurement: group[0], epsilon, resume, options });
  const asked = ascending(group.map(({ epsilon }) => epsilon));
  const passed = group.flatMap(({ after = [] }) => after);
  if (passed.length > 0) return yield* goThrough(ascending([...asked, ...passed]), asked, attackRng(seed), run);
  const { incremental } = lookup(globalAttacks, attack, "attack");
  let largest: FoundFlips | null = null; // holds the flips of all smaller budgets, if the attack is incremental
  for (const epsilon of asked.reverse()) {
    if (incremental && largest) {
      yield { ...largest, epsilon, flips: prefix(largest.flips, edgeBudget(session.graph, epsilon)) };
      continue;
    }
    const found = await run(epsilon);
    largest ??= found;
    yield found;
  }
}

type Run = (epsilon: number, resume?: Resume) => Promise<FoundFlips>;

/** An attack that goes on from budget to budget. */
async function* goThrough(
  budgets: readonly number[],
  asked: readonly number[],
  rng: Rng,
  run: Run,
): AsyncGenerator<FoundFlips> {
  let flips = noFlips;
  let seconds = 0;
  for (const epsilon of budgets) {
    const found = await run(epsilon, { from: flips, rng });
    flips = found.flips;
    seconds += found.seconds;
    if (asked.includes(epsilon)) yield { epsilon, flips, seconds };
  }
}

interface OneRun {
  readonly session: Session;
  readonly model: Model;
  readonly measurement: Measurement;
  readonly epsilon: number;
  readonly resume: Resume | undefined;
  readonly options: RunOptions;
}

/** One run of an attack. */
async function runOnce({ session, model, measurement, epsilon, resume, options }: OneRun): Promise<FoundFlips> {
  const { surrogate, attack, loss, seed, dataset } = measurement;
  const { steps, signal } = options;
  const progress = steps.begin(
    `${dataset} seed ${seed}: ${attack}${loss ? ` (${loss})` : ""} on ${surrogate}, epsilon ${epsilon}`,
  );
  const choice: AttackChoice = {
    attack: attack!,
    epsilon,
    seed,
    options: publishedOptions(attack, measurement.options),
    ...(loss !== null && { loss }),
    ...(resume && { resume }),
  };
  const watch = { progress, ...(signal && { signal }) };
  const { perturbation, cost, accuracy } = await runAttack(session, model, choice, watch);
  stopIfAborted(signal); // half an attack is no measurement
  steps.end(`${accuracy.clean.toFixed(3)} to ${accuracy.adversarial.toFixed(3)} in ${cost.seconds.toFixed(1)} s`);
  return { epsilon, flips: perturbation.flips, seconds: cost.seconds };
}

/** Options of a measurement, with the rest as published. The preset goes without saying, so that stored measurements keep their keys. */
function publishedOptions(attack: string | null, options: Measurement["options"]): Measurement["options"] {
  return attack === "prbcd" ? { preset: "paper", ...options } : options;
}

function prefix({ sources, targets }: Flips, count: number): Flips {
  return { sources: sources.slice(0, count), targets: targets.slice(0, count) };
}

/** Measurements that need the same run of an attack, but for the budget. */
function attackKey({ set: _, quantity: __, after: ___, polish: ____, ...measurement }: Measurement): string {
  return measurementKey({ ...measurement, epsilon: 0, victim: "" });
}

function ascending(budgets: readonly number[]): number[] {
  return [...new Set(budgets)].sort((a, b) => a - b);
}

export function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}
