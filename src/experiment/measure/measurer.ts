import { type Objective, objectiveByName } from "../../attack/objective.ts";
import { type Classification, classify, TargetOutcomes } from "../../attack/target-outcomes.ts";
import { check } from "../../core/errors.ts";
import type { Json } from "../../core/options/index.ts";
import type { Model } from "../../nn/model.ts";
import type { Watch } from "../../nn/training/train.ts";
import type { GraphView } from "../../tensor/index.ts";
import { type CleanGraph, cleanGraph } from "../details/clean-graph.ts";
import { flipProfile } from "../details/flip-profile.ts";
import type { RunDetails } from "../details/run-details.ts";
import { targetProfile } from "../details/target-profile.ts";
import { onPoisoned } from "../poisoned-model.ts";
import type { RunOutcome } from "../store/store.ts";
import { isCurrentCode } from "../study/code-of-cell.ts";
import { flipsId, modelId, type RunDescription } from "../study/run-description.ts";
import { FlipShelf, type FoundFlips } from "./flip-shelf.ts";
import { gradientAgreement } from "./gradient-agreement.ts";
import { hiddenShift } from "./hidden-shift.ts";
import { ModelShelf } from "./model-shelf.ts";
import { NodeAttacks } from "./node-attacks.ts";
import { type MeasureOptions, type OpenedRun, openRun, placeKey } from "./opened-run.ts";
import { stopIfAborted } from "./stop-if-aborted.ts";

/**
 * Measures runs one after the other and keeps what they share: the graph on its device, trained models, the perturbed
 * graph. The order of a plan shares most; any order gives the same results.
 */
export class Measurer {
  private readonly options: MeasureOptions;
  private place: Place | null = null;

  constructor(options: MeasureOptions) {
    this.options = options;
  }

  async measure(run: RunDescription, watch: Watch = {}): Promise<RunOutcome> {
    checkCode(run);
    const begin = performance.now();
    const place = await this.open(run);
    const { memory } = place.opened.session.backend;
    memory.resetPeak();
    const { value, clean, result } = await place.measure(run, watch);
    return {
      value,
      clean,
      seconds: (performance.now() - begin) / 1000,
      peakBytes: memory.peak,
      result: {
        ...result,
        model: modelId(run),
        split: { ...place.opened.splitFacts },
        facts: this.options.facts,
      },
    };
  }

  async close(): Promise<void> {
    await this.place?.close();
    this.place = null;
  }

  /** The place of a run. Disposes the models of another graph or seed. */
  private async open(run: RunDescription): Promise<Place> {
    const key = placeKey(run);
    if (this.place?.key === key) return this.place;
    await this.close();
    this.place = new Place(key, await openRun(run, this.options), this.options);
    return this.place;
  }
}

/** Throws if other code planned the run: its result would name that code, and never be recognised as stale. */
function checkCode({ cell }: RunDescription): void {
  check(isCurrentCode(cell), () => "was planned by another version of the code; plan the study again with this one");
}

interface Measured {
  readonly value: number;
  /** Accuracy on the clean graph. */
  readonly clean: number;
  readonly result: Readonly<Record<string, Json>>;
}

/** A graph with one seed on one device, and all that runs on it share. */
class Place {
  readonly key: string;
  readonly opened: OpenedRun;
  private readonly models: ModelShelf;
  private readonly flips: FlipShelf;
  private readonly nodeAttacks: NodeAttacks;
  private readonly options: MeasureOptions;
  private readonly graph: CleanGraph;
  /** Classifications of the clean graph, by model and objective. */
  private readonly clean = new Map<string, Classification>();

  constructor(key: string, opened: OpenedRun, options: MeasureOptions) {
    this.key = key;
    this.opened = opened;
    this.models = new ModelShelf(opened, options);
    this.flips = new FlipShelf(opened, this.models, options);
    this.nodeAttacks = new NodeAttacks(opened, this.models);
    this.options = options;
    this.graph = cleanGraph(opened.session.graph, opened.session.classes, opened.split.train);
  }

  async measure(run: RunDescription, watch: Watch): Promise<Measured> {
    const { attack, quantity } = run.cell;
    if (quantity === "success-rate") return this.successRate(run, watch);
    const found = attack && (await this.flips.get(run, watch));
    if (quantity === "accuracy") return this.accuracy(run, found, watch);
    const { clean } = await this.accuracy(run, null, watch);
    const { session } = this.opened;
    const model = await this.models.get(run, run.cell.model, watch);
    const view = found?.perturbed ?? session.view;
    if (quantity === "hidden-shift")
      return { clean, value: await hiddenShift(model, session.view, view), result: attackFacts(found) };
    const agreement = await gradientAgreement(await this.teacher(run, watch), model, view, {
      nodes: this.opened.split.test,
      seed: run.seed,
    });
    return { clean, value: agreement.cosine, result: { agreement: { ...agreement }, ...attackFacts(found) } };
  }

  async close(): Promise<void> {
    this.flips.forget();
    await this.models.close();
    await this.opened.session.close();
  }

  /** The model whose weights the victim has. */
  private teacher(run: RunDescription, watch: Watch): Promise<Model> {
    const { name, hyperparameters, trainedWith = hyperparameters } = run.cell.model;
    return this.models.get(run, { name, hyperparameters: trainedWith }, watch);
  }

  private async successRate(run: RunDescription, watch: Watch): Promise<Measured> {
    const { clean } = await this.accuracy(run, null, watch);
    const { value, result } = await this.nodeAttacks.measure(run, watch);
    return { value, clean, result: { ...result } };
  }

  /** Accuracy on the clean graph and, if there are flips, on the perturbed one. */
  private async accuracy(run: RunDescription, found: FoundFlips | null, watch: Watch): Promise<Measured> {
    const { session, split } = this.opened;
    const objective = objectiveByName(run.cell.attack?.objective ?? "accuracy", session.classes);
    const before = await this.classifyClean(run, objective, watch);
    const after = found ? await this.classifyAfter(run, found, objective, watch) : before;
    const accuracy = new TargetOutcomes(session.graph.labels, split.test, before, after).accuracy;
    const details = this.details(run, found, before, after);
    const attacked = found && {
      objective: objective.name,
      score: { clean: before.score, adversarial: after.score },
      flips: flipFacts(run, details),
      numTargets: split.test.length,
      ...attackFacts(found),
    };
    const result = { accuracy: { ...accuracy }, ...attacked, details: asJson(details) };
    return { value: accuracy.adversarial, clean: accuracy.clean, result };
  }

  /** Details that reports show. */
  private details(
    run: RunDescription,
    found: FoundFlips | null,
    before: Classification,
    after: Classification,
  ): RunDetails {
    return {
      graph: this.graph.profile,
      targets: targetProfile(this.graph, this.opened.split.test, before, found && after),
      training: this.options.artefacts.loadTraining(modelId(run)),
      flips: found && flipProfile(this.graph, found.flips),
      attack: found?.report.curve ?? null,
    };
  }

  private async classifyAfter(
    run: RunDescription,
    { flips, perturbed }: FoundFlips,
    objective: Objective,
    watch: Watch,
  ): Promise<Classification> {
    const { session, split } = this.opened;
    const { model, time } = run.cell;
    const look = (victim: Model, view: GraphView) => classify(victim, view, split.test, objective);
    if (time === "evasion") return look(await this.models.get(run, model, watch), perturbed);
    const choice = { model: model.name, seed: run.seed, set: model.hyperparameters };
    const poisoned = await onPoisoned(session, choice, flips, watch, look);
    stopIfAborted(watch);
    return poisoned;
  }

  private async classifyClean(run: RunDescription, objective: Objective, watch: Watch): Promise<Classification> {
    const { model } = run.cell;
    const key = JSON.stringify([modelId(run), model.hyperparameters, objective.name]);
    const known = this.clean.get(key);
    if (known) return known;
    const victim = await this.models.get(run, model, watch);
    const classification = await classify(victim, this.opened.session.view, this.opened.split.test, objective);
    this.clean.set(key, classification);
    return classification;
  }
}

function flipFacts(run: RunDescription, { flips }: RunDetails): Json {
  return { id: flipsId(run), added: flips?.added.count ?? 0, removed: flips?.removed.count ?? 0 };
}

/** Cost of finding the flips. The curve is left out: it is among the details. */
function attackFacts(found: FoundFlips | null): Readonly<Record<string, Json>> {
  if (!found) return {};
  const { curve: _, ...cost } = found.report;
  return { attack: { ...cost } };
}

/** Details are JSON, but TypeScript does not accept interfaces as `Json`. */
function asJson(details: RunDetails): Json {
  return details as unknown as Json;
}
