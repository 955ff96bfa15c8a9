import { edgeBudget } from "../../attack/budget.ts";
import { globalAttacks } from "../../attack/global-attacks.ts";
import { Interrupted, lookup } from "../../core/errors.ts";
import type { Rng } from "../../core/rng.ts";
import { type Flips, noFlips } from "../../graph/flips.ts";
import type { Model } from "../../nn/model.ts";
import type { Hyperparameters } from "../../nn/models/model-kind.ts";
import { withFlips } from "../../tensor/index.ts";
import { attackRng, buildModel, trainModel } from "../build-model.ts";
import type { Steps } from "../robustness.ts";
import { type AttackChoice, type Resume, runAttack } from "../run-attack.ts";
import { openSession, type Session, type SessionOptions } from "../session.ts";
import { type Measurement, measurementKey, victimKey } from "./measurement.ts";
import { quantities } from "./quantities.ts";
import type { ResultStore } from "./store.ts";

export interface RunOptions {
  readonly where: Omit<SessionOptions, "dataset">;
  /** Measure nothing; what the store holds is all there is. */
  readonly stored?: boolean;
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
  const { seed } = measurements[0];
  const models = new TrainedModels(session, seed, options);
  try {
    for (const [, attacks] of groupBy(measurements, attackKey)) {
      for await (const { epsilon, flips, seconds } of findFlips(session, models, attacks, options)) {
        const perturbed = withFlips(session.view, flips); // one for all models: they share what depends on its edges alone
        try {
          for (const measurement of attacks.filter((m) => m.epsilon === epsilon)) {
            stopIfAborted(options.signal);
            const { victim, set, quantity = "accuracy" } = measurement;
            const value = await quantities[quantity](await models.get(victim, set), session, perturbed, seed);
            store.put(measurement, { value, seconds });
          }
        } finally {
          perturbed.dispose();
        }
      }
    }
  } finally {
    models.dispose();
  }
}

interface FoundFlips {
  readonly epsilon: number;
  readonly flips: Flips;
  readonly seconds: number;
}

/** The flips of one attack for each budget, as they are found. */
async function* findFlips(
  session: Session,
  models: TrainedModels,
  group: readonly Measurement[],
  options: RunOptions,
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
    options: measurement.options,
    ...(loss !== null && { loss }),
    ...(resume && { resume }),
  };
  const watch = { progress, ...(signal && { signal }) };
  const { perturbation, cost, accuracy } = await runAttack(session, model, choice, watch);
  stopIfAborted(signal); // half an attack is no measurement
  steps.end(`${accuracy.clean.toFixed(3)} to ${accuracy.adversarial.toFixed(3)} in ${cost.seconds.toFixed(1)} s`);
  return { epsilon, flips: perturbation.flips, seconds: cost.seconds };
}

/** Models of one dataset and seed, each trained when it is first asked for. */
export class TrainedModels {
  private readonly session: Session;
  private readonly seed: number;
  private readonly options: RunOptions;
  private readonly models = new Map<string, Model>();

  constructor(session: Session, seed: number, options: RunOptions) {
    this.session = session;
    this.seed = seed;
    this.options = options;
  }

  async get(name: string, set: Hyperparameters = {}): Promise<Model> {
    const key = victimKey(name, set);
    const known = this.models.get(key);
    if (known) return known;
    const { session, seed } = this;
    const { signal } = this.options;
    const details = Object.entries(set).map(([option, value]) => `, ${option} ${value}`);
    const progress = this.options.steps.begin(`${session.dataset} seed ${seed}: train ${name}${details.join("")}`);
    const choice = { model: name, seed, set };
    const built = buildModel(session, choice);
    this.models.set(key, built.model); // disposed with the others, also if it is not trained to the end
    const watch = { progress, ...(signal && { signal }) };
    const history = await trainModel(built, choice, session.view, session.split(seed), watch);
    stopIfAborted(signal);
    this.options.steps.end(`${history.trainLoss.length} epochs`);
    return built.model;
  }

  dispose(): void {
    for (const model of this.models.values()) model.dispose();
  }
}

/** Throws {@link Interrupted} once a run was asked to end. */
export function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new Interrupted("interrupted; what was measured before is kept");
}

function prefix({ sources, targets }: Flips, count: number): Flips {
  return { sources: sources.slice(0, count), targets: targets.slice(0, count) };
}

/** Measurements that need the same run of an attack, but for the budget. */
function attackKey({ set: _, quantity: __, after: ___, ...measurement }: Measurement): string {
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
