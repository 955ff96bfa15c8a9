import type { LocalResult } from "../../attack/local/local-result.ts";
import type { Json } from "../../core/options/index.ts";
import type { Watch } from "../../nn/training/train.ts";
import { PreparedNodes } from "../attack-nodes.ts";
import type { NodeBudgetChoice } from "../node-attack-choice.ts";
import { attackOptions } from "../study/attack-options.ts";
import { attackedModel, type BudgetDescription, type RunDescription, workId } from "../study/run-description.ts";
import type { ModelShelf } from "./model-shelf.ts";
import type { OpenedRun } from "./opened-run.ts";
import { stopIfAborted } from "./stop-if-aborted.ts";

/** Attacks on single nodes. Keeps the latest results, because evasion and poisoning use the same flips. */
export class NodeAttacks {
  private readonly opened: OpenedRun;
  private readonly models: ModelShelf;
  private last: FoundForNodes | null = null;

  constructor(opened: OpenedRun, models: ModelShelf) {
    this.opened = opened;
    this.models = models;
  }

  /** The share of nodes for which the attack of a run succeeds, and what it did to each. */
  async measure(run: RunDescription, watch: Watch): Promise<{ readonly value: number; readonly result: NodesResult }> {
    const { prepared, found, peakBytes } = await this.find(run, watch);
    const results = run.cell.time === "poisoning" ? await collected(prepared.poisoned(found, watch), watch) : found;
    const successes = results.filter(({ success }) => success).length;
    const seconds = found.reduce((sum, result) => sum + result.seconds, 0);
    return {
      value: successes / results.length,
      result: { nodes: results.map(nodeFacts), attack: { seconds, peakBytes } },
    };
  }

  private async find(run: RunDescription, watch: Watch): Promise<FoundForNodes> {
    const work = workId(run, false);
    if (this.last?.work === work) return this.last;
    const prepared = await this.prepare(run, watch);
    const budget = budgetOf(run.cell.attack!);
    const found = await collected(prepared.attack(await drawNodes(prepared, run), budget, watch), watch);
    this.last = { work, prepared, found, peakBytes: prepared.cost.peakBytes };
    return this.last;
  }

  private async prepare(run: RunDescription, watch: Watch): Promise<PreparedNodes> {
    const { model, attack } = run.cell;
    const { name, options, influence } = attack!;
    const victim = await this.models.get(run, model, watch);
    const other = attackedModel(run);
    const surrogate = other === model ? victim : await this.models.get(run, other, watch);
    const choice = {
      attack: name,
      model: model.name,
      set: model.hyperparameters,
      surrogate: other.name,
      seed: run.seed,
      options: attackOptions(name, options),
      ...(influence && { influence }),
    };
    return new PreparedNodes(this.opened.session, choice, { victim, surrogate, dispose() {} }); // models stay on their shelf
  }
}

interface FoundForNodes {
  readonly work: string;
  readonly prepared: PreparedNodes;
  readonly found: readonly LocalResult[];
  readonly peakBytes: number;
}

/** What is kept of a run. */
interface NodesResult {
  readonly nodes: readonly Readonly<Record<string, Json>>[];
  readonly attack: { readonly seconds: number; readonly peakBytes: number };
}

/** Draws the nodes of a run, after drawing those of the budgets before it from the same generator. */
async function drawNodes(prepared: PreparedNodes, { cell }: RunDescription): Promise<Int32Array> {
  let nodes: Int32Array = Int32Array.of();
  const budgets = cell.nodes === "test" ? [cell.attack!] : cell.nodes.drawnFor;
  for (const budget of budgets) nodes = await prepared.nodesFor(budgetOf(budget));
  return nodes;
}

function budgetOf({ epsilon, budget }: BudgetDescription): NodeBudgetChoice {
  return epsilon === null ? { budget } : { epsilon };
}

/** All results; throws if interrupted, because a part of them is not a measurement. */
async function collected(results: AsyncIterable<LocalResult>, watch: Watch): Promise<LocalResult[]> {
  const all: LocalResult[] = [];
  for await (const result of results) all.push(result);
  stopIfAborted(watch);
  return all;
}

function nodeFacts({ node, label, degree, budget, perturbation, clean, adversarial, success }: LocalResult) {
  return {
    node,
    label,
    degree,
    budget,
    flips: perturbation.flips.sources.length,
    margin: { clean: clean.probabilityMargin, adversarial: adversarial.probabilityMargin },
    success,
  };
}
