import type { ConstraintRules } from "../../attack/constraints/constraints.ts";
import { globalAttacks } from "../../attack/global-attacks.ts";
import { objectiveByName } from "../../attack/objective.ts";
import { polish } from "../../attack/polish/polish.ts";
import type { Split } from "../../data/splits.ts";
import { attackRng } from "../../defense/build-model.ts";
import type { Watch } from "../../nn/training/train.ts";
import { type DeviceGraph, withFlips } from "../../tensor/index.ts";
import { attackCurve } from "../details/epoch-curve.ts";
import { type AttackChoice, runAttack } from "../run-attack.ts";
import { attackOptions } from "../study/attack-options.ts";
import {
  attackedModel,
  type ConstraintDescription,
  flipsId,
  type RunDescription,
  runBefore,
  workId,
} from "../study/run-description.ts";
import type { KeptFlips } from "./artefacts.ts";
import type { ModelShelf } from "./model-shelf.ts";
import type { MeasureOptions, OpenedRun } from "./opened-run.ts";
import { stopIfAborted } from "./stop-if-aborted.ts";

/** Flips, and the perturbed graph. */
export interface FoundFlips extends KeptFlips {
  readonly id: string;
  readonly perturbed: DeviceGraph;
}

/** Flips of runs on one graph and seed: the latest ones in memory, others on disk, and new ones from an attack. */
export class FlipShelf {
  private readonly opened: OpenedRun;
  private readonly models: ModelShelf;
  private readonly options: MeasureOptions;
  private last: (FoundFlips & Beginning) | null = null;

  constructor(opened: OpenedRun, models: ModelShelf, options: MeasureOptions) {
    this.opened = opened;
    this.models = models;
    this.options = options;
  }

  /** The flips of a run. The perturbed graph is disposed when the flips of another run are asked for. */
  async get(run: RunDescription, watch: Watch): Promise<FoundFlips> {
    const id = flipsId(run);
    if (this.last?.id === id) return this.last;
    const kept = await this.find(run, watch);
    this.forget();
    const perturbed = withFlips(this.opened.session.view, kept.flips);
    this.last = { ...kept, ...beginningOf(run), id, perturbed };
    return this.last;
  }

  forget(): void {
    this.last?.perturbed.dispose();
    this.last = null;
  }

  /** Flips from disk, a beginning of the latest ones, or new ones; saves what was not on disk. */
  private async find(run: RunDescription, watch: Watch): Promise<KeptFlips> {
    const id = flipsId(run);
    const { artefacts } = this.options;
    const { graph, ids } = this.opened.session;
    const kept = artefacts.loadFlips(id, graph, ids);
    if (kept) return kept;
    const found = this.firstOfLast(run) ?? (await this.attack(run, watch));
    await artefacts.saveFlips(id, graph, ids, found);
    return found;
  }

  /** The flips of a smaller budget, if the latest ones (of a larger budget) begin with them. */
  private firstOfLast(run: RunDescription): KeptFlips | null {
    const { incremental, budget } = beginningOf(run);
    if (!this.last || incremental === null) return null;
    if (this.last.incremental !== incremental || this.last.budget < budget) return null;
    const { flips, report, rng } = this.last;
    const first = { sources: flips.sources.slice(0, budget), targets: flips.targets.slice(0, budget) };
    return { flips: first, report, rng };
  }

  private async attack(run: RunDescription, watch: Watch): Promise<KeptFlips> {
    const before = runBefore(run);
    const from = before && (await this.find(before, watch));
    const isPolish = run.cell.attack?.polish !== undefined;
    return from && isPolish ? this.polish(run, from, watch) : this.search(run, from, watch);
  }

  /** Attacks from scratch, or continues from the flips and random numbers of a smaller budget. */
  private async search(run: RunDescription, from: KeptFlips | null, watch: Watch): Promise<KeptFlips> {
    const { session, split } = this.opened;
    const { name, options, objective, budget, helper, constraints } = run.cell.attack!;
    const model = await this.models.get(run, attackedModel(run), watch);
    const rng = attackRng(run.seed);
    if (from) rng.restore(from.rng);
    const choice: AttackChoice = {
      attack: name,
      budget,
      seed: run.seed,
      options: attackOptions(name, options),
      objective: objectiveByName(objective, session.classes),
      ...(from ? { resume: { from: from.flips, rng } } : { rng }),
      ...(helper && { surrogates: [await this.models.get(run, helper, watch)] }),
      ...(constraints && { constraints: rulesOf(constraints, split) }),
    };
    const { perturbation, cost, trace } = await runAttack(session, model, choice, watch);
    stopIfAborted(watch); // an interrupted attack is not a measurement
    const seconds = cost.seconds + (from?.report.seconds ?? 0);
    return { flips: perturbation.flips, report: { ...cost, seconds, curve: attackCurve(trace) }, rng: rng.state() };
  }

  /** Polishes flips that another attack found, on the victim. */
  private async polish(run: RunDescription, from: KeptFlips, watch: Watch): Promise<KeptFlips> {
    const { session, split } = this.opened;
    const { objective, budget, polish: rounds = 0 } = run.cell.attack!;
    const model = await this.models.get(run, run.cell.model, watch);
    const rng = attackRng(run.seed);
    const task = {
      nodes: split.test,
      budget,
      rng,
      objective: objectiveByName(objective, session.classes),
      ...watch,
    };
    const { perturbation, cost } = await polish(model, session.view, task, from.flips, { rounds });
    stopIfAborted(watch);
    const seconds = cost.seconds + from.report.seconds;
    return { flips: perturbation.flips, report: { ...cost, seconds }, rng: rng.state() };
  }
}

/** Tells which flips begin with those of smaller budgets. */
interface Beginning {
  /** The same key for all budgets of an attack; null if its flips do not begin with those of smaller budgets. */
  readonly incremental: string | null;
  readonly budget: number;
}

function beginningOf(run: RunDescription): Beginning {
  const { name, budget, polish: rounds } = run.cell.attack!;
  const isIncremental = globalAttacks[name].incremental && rounds === undefined;
  return { incremental: isIncremental ? workId(run, true) : null, budget };
}

function rulesOf(constraints: ConstraintDescription, split: Split): ConstraintRules {
  const { only, perNode, protectNodes, between } = constraints;
  const nodes = (set: string) => split[set as keyof Split];
  return {
    ...(only && { only }),
    ...(perNode !== undefined && { perNode }),
    ...(protectNodes !== undefined && { protectedNodes: nodes(protectNodes) }),
    ...(between && { between: [nodes(between[0]), nodes(between[1])] as const }),
  };
}
