import { globalAttacks } from "../../attack/global-attacks.ts";
import { type Objective, objectiveByName } from "../../attack/objective.ts";
import { type Classification, classify, TargetOutcomes } from "../../attack/target-outcomes.ts";
import { Interrupted, UserError } from "../../core/errors.ts";
import type { Json } from "../../core/options/index.ts";
import type { Split } from "../../data/splits.ts";
import type { Model } from "../../nn/model.ts";
import type { Watch } from "../../nn/training/train.ts";
import { type DeviceGraph, type GraphView, withFlips } from "../../tensor/index.ts";
import { buildModel, trainModel } from "../build-model.ts";
import { type CleanGraph, cleanGraph } from "../details/clean-graph.ts";
import { attackCurve, type TrainingCurve, trainingCurve } from "../details/epoch-curve.ts";
import { type FlipProfile, flipProfile } from "../details/flip-profile.ts";
import type { RunDetails } from "../details/run-details.ts";
import { targetProfile } from "../details/target-profile.ts";
import type { SplitFacts } from "../opened-split.ts";
import { onPoisoned } from "../poisoned-model.ts";
import { runAttack } from "../run-attack.ts";
import { openSession, type Session } from "../session.ts";
import type { RunOutcome } from "../store/store.ts";
import type { Artefacts, KeptFlips } from "./artefacts.ts";
import { attackOptions } from "./attack-options.ts";
import { graphContentHash } from "./graph-content.ts";
import {
  attackedModel,
  type CellDescription,
  flipsId,
  type ModelDescription,
  modelId,
  type RunDescription,
  workId,
} from "./run-description.ts";

/** Where runs are measured. */
export interface MeasureOptions {
  readonly artefacts: Artefacts;
  readonly dataDir?: string;
  readonly threads?: number;
  /** What is noted with every result: versions, machine. */
  readonly facts: Readonly<Record<string, Json>>;
}

/**
 * Measures runs one after the other and keeps what they share: the graph on its device, trained models, the perturbed graph. Runs
 * that come in the order of a plan make the most of it; in any order they give the same results.
 */
export class Measurer {
  private readonly options: MeasureOptions;
  private opened: OpenedGraph | null = null;
  private readonly models = new Map<string, TrainedModel>();
  /** What models make of the clean graph, by model and objective. */
  private readonly clean = new Map<string, Classification>();
  /** The last flips that were found or loaded, and the graph with them. */
  private found: FoundFlips | null = null;

  constructor(options: MeasureOptions) {
    this.options = options;
  }

  async measure(run: RunDescription, watch: Watch = {}): Promise<RunOutcome> {
    const begin = performance.now();
    const opened = await this.open(run);
    const { memory } = opened.session.backend;
    memory.resetPeak();
    const { accuracy, result } = await this.measureOn(opened, run, watch);
    return {
      value: run.cell.attack ? accuracy.adversarial : accuracy.clean,
      clean: accuracy.clean,
      seconds: (performance.now() - begin) / 1000,
      peakBytes: memory.peak,
      result: {
        accuracy: { ...accuracy },
        ...result,
        model: modelId(run),
        split: { ...opened.splitFacts },
        facts: this.options.facts,
      },
    };
  }

  async close(): Promise<void> {
    this.forgetFlips();
    for (const { model } of this.models.values()) model.dispose();
    this.models.clear();
    this.clean.clear();
    await this.opened?.session.close();
    this.opened = null;
  }

  /** The graph of a run on its device, which must hold what was planned. Models of another graph or seed are let go. */
  private async open({ cell, seed, splitHash }: RunDescription): Promise<OpenedGraph> {
    const key = JSON.stringify([cell.graph, cell.split, cell.device, seed, splitHash]);
    if (this.opened?.key === key) return this.opened;
    await this.close();
    const { sha256, ...graph } = cell.graph;
    const { dataDir, threads } = this.options;
    const session = await openSession({
      ...graph,
      device: cell.device,
      ...(cell.split !== null && { split: cell.split }),
      ...(dataDir !== undefined && { dataDir }),
      ...(threads !== undefined && cell.device === "cpu" && { threads }),
    });
    const splitFacts = session.splitFacts(seed);
    if (graphContentHash(session.graph) !== sha256 || splitFacts.sha256 !== splitHash) {
      await session.close();
      const problem = "the graph or its split here is not the one that was planned; plan the study again";
      throw new UserError(`${graph.dataset}: ${problem}`);
    }
    const split = session.split(seed);
    const clean = cleanGraph(session.graph, session.classes, split.train);
    this.opened = { key, session, split, splitFacts, clean };
    return this.opened;
  }

  /** A trained model: the one in memory, the one on disk, or a new one. */
  private async model(
    { session, split }: OpenedGraph,
    run: RunDescription,
    { name, hyperparameters }: ModelDescription,
    watch: Watch,
  ): Promise<TrainedModel> {
    const { seed, splitHash } = run;
    const { artefacts } = this.options;
    const id = modelId(run, { name, hyperparameters });
    const known = this.models.get(id);
    if (known) return known;
    const choice = { model: name, seed, set: hyperparameters };
    const built = buildModel(session, choice);
    try {
      if (!artefacts.loadWeights(id, built.model)) {
        const begin = performance.now();
        const history = await trainModel(built, choice, session.view, split, watch);
        stopIfAborted(watch); // a model that is half trained is no model
        const { numFeatures: features, numClasses: classes } = session.graph;
        const facts = { kind: name, sizes: { features, classes }, dataset: session.dataset, seed, splitHash };
        const curve = trainingCurve(history, (performance.now() - begin) / 1000);
        await artefacts.saveWeights(id, built.model, facts, curve);
      }
    } catch (error) {
      built.model.dispose();
      throw error;
    }
    const trained = { model: built.model, training: artefacts.loadTraining(id) };
    this.keep(id, trained);
    return trained;
  }

  /** Keeps a model in memory, and lets the oldest go where there are many: it is on disk. */
  private keep(id: string, trained: TrainedModel): void {
    this.models.set(id, trained);
    if (this.models.size <= MOST_MODELS) return;
    const [oldest, least] = this.models.entries().next().value!;
    this.models.delete(oldest);
    least.model.dispose();
  }

  /** Accuracy on the clean graph and, if there is an attack, on the perturbed one. */
  private async measureOn(opened: OpenedGraph, run: RunDescription, watch: Watch): Promise<Measured> {
    const { cell, seed } = run;
    const { session, clean: graph } = opened;
    const nodes = opened.split.test;
    const objective = objectiveByName(cell.attack?.objective ?? "accuracy", session.classes);
    const clean = await this.classifyClean(opened, run, objective, watch);
    const { labels } = session.graph;
    const { training } = await this.model(opened, run, cell.model, watch);
    if (!cell.attack) {
      const targets = targetProfile(graph, nodes, clean, null);
      const details: RunDetails = { graph: graph.profile, targets, training, flips: null, attack: null };
      return { accuracy: new TargetOutcomes(labels, nodes, clean, clean).accuracy, result: asJson({ details }) };
    }
    const { flips, report, perturbed, profile } = await this.flips(opened, run, watch);
    const after = (model: Model, view: GraphView) => classify(model, view, nodes, objective);
    const { name, hyperparameters } = cell.model;
    const adversarial =
      cell.time === "evasion"
        ? await after((await this.model(opened, run, cell.model, watch)).model, perturbed)
        : await onPoisoned(session, { model: name, seed, set: hyperparameters }, flips, watch, after);
    stopIfAborted(watch);
    const { curve, ...cost } = report;
    const details: RunDetails = {
      graph: graph.profile,
      targets: targetProfile(graph, nodes, clean, adversarial),
      training,
      flips: profile,
      attack: curve ?? null,
    };
    return {
      accuracy: new TargetOutcomes(labels, nodes, clean, adversarial).accuracy,
      result: asJson({
        objective: objective.name,
        score: { clean: clean.score, adversarial: adversarial.score },
        flips: { id: flipsId(run), added: profile.added.count, removed: profile.removed.count },
        numTargets: nodes.length,
        attack: cost,
        details,
      }),
    };
  }

  private async classifyClean(
    opened: OpenedGraph,
    run: RunDescription,
    objective: Objective,
    watch: Watch,
  ): Promise<Classification> {
    const key = `${modelId(run)} ${objective.name}`;
    const known = this.clean.get(key);
    if (known) return known;
    const { model } = await this.model(opened, run, run.cell.model, watch);
    const classification = await classify(model, opened.session.view, opened.split.test, objective);
    this.clean.set(key, classification);
    return classification;
  }

  /** The flips of a run: the last ones or the first of them, those on disk, or new ones. */
  private async flips(opened: OpenedGraph, run: RunDescription, watch: Watch): Promise<FoundFlips> {
    const id = flipsId(run);
    if (this.found?.id === id) return this.found;
    const { artefacts } = this.options;
    const { graph, ids, view } = opened.session;
    const { budget } = run.cell.attack!;
    const kept =
      artefacts.loadFlips(id, graph, ids) ?? this.firstOfFound(run) ?? (await this.attack(opened, run, watch));
    this.forgetFlips();
    await artefacts.saveFlips(id, graph, ids, kept);
    this.found = {
      id,
      work: incrementalWork(run.cell, run),
      budget,
      perturbed: withFlips(view, kept.flips),
      profile: flipProfile(opened.clean, kept.flips),
      ...kept,
    };
    return this.found;
  }

  /** Where the flips of a larger budget begin with those of a smaller one. */
  private firstOfFound(run: RunDescription): KeptFlips | null {
    const { budget } = run.cell.attack!;
    const work = incrementalWork(run.cell, run);
    if (!this.found || work === null || this.found.work !== work || this.found.budget < budget) return null;
    const { sources, targets } = this.found.flips;
    const flips = { sources: sources.slice(0, budget), targets: targets.slice(0, budget) };
    return { flips, report: this.found.report };
  }

  private async attack(opened: OpenedGraph, run: RunDescription, watch: Watch): Promise<KeptFlips> {
    const { session } = opened;
    const { name, options, objective, budget } = run.cell.attack!;
    const { model } = await this.model(opened, run, attackedModel(run), watch);
    const choice = {
      attack: name,
      budget,
      seed: run.seed,
      options: attackOptions(name, options),
      objective: objectiveByName(objective, session.classes),
    };
    const { perturbation, cost, trace } = await runAttack(session, model, choice, watch);
    stopIfAborted(watch); // half an attack is no measurement
    return { flips: perturbation.flips, report: { ...cost, curve: attackCurve(trace) } };
  }

  private forgetFlips(): void {
    this.found?.perturbed.dispose();
    this.found = null;
  }
}

/** In memory at once: more than a transfer table has. */
const MOST_MODELS = 32;

/** A graph on its device, and its split. */
interface OpenedGraph {
  readonly key: string;
  readonly session: Session;
  readonly split: Split;
  readonly splitFacts: SplitFacts;
  readonly clean: CleanGraph;
}

/** A model, and how it learned where that is known. */
interface TrainedModel {
  readonly model: Model;
  readonly training: TrainingCurve | null;
}

interface FoundFlips extends KeptFlips {
  readonly id: string;
  /** Null unless flips of smaller budgets are the first of these. */
  readonly work: string | null;
  readonly budget: number;
  readonly perturbed: DeviceGraph;
  readonly profile: FlipProfile;
}

interface Measured {
  readonly accuracy: { readonly clean: number; readonly adversarial: number };
  readonly result: Readonly<Record<string, Json>>;
}

/** Results are JSON; their types are interfaces, which TypeScript does not take for it. */
function asJson(result: object): Readonly<Record<string, Json>> {
  return result as Readonly<Record<string, Json>>;
}

function incrementalWork({ attack }: CellDescription, run: RunDescription): string | null {
  return attack && globalAttacks[attack.name].incremental ? workId(run, true) : null;
}

function stopIfAborted({ signal }: Watch): void {
  if (signal?.aborted) throw new Interrupted("interrupted: what is done so far is kept");
}
