import { check } from "../../../core/errors.ts";
import type { Flips } from "../../../graph/flips.ts";
import type { Pprgo } from "../../../nn/models/pprgo.ts";
import { OneMoreChange } from "../../../ppr/one-more-change.ts";
import { type DenominatorGradient, updatePageRank } from "../../../ppr/row-update.ts";
import { type PushNodes, RowsOnDemand } from "../../../ppr/rows-on-demand.ts";
import type { Values } from "../../../tensor/index.ts";
import type { DirectedRows } from "../attacked-graph.ts";
import type { Influence, LocalTarget } from "../local-task.ts";
import { distanceToGoal } from "../node-outcome.ts";
import { PushedTrials } from "../pushed-trials.ts";
import type { NodeBlock } from "./candidate-space.ts";
import { EncodedSlots, type FeatureSource } from "./encoded-slots.ts";
import { goalLoss, type RowLoss } from "./goal-loss.ts";
import { Mixture } from "./mixture.ts";
import { placesAbove } from "./places-above.ts";
import type { NodeGoal, NodeStep, RelaxedNode, RelaxedVictim } from "./relaxed-node.ts";

/** Entries of rows that are estimated at once. */
const BATCH_ENTRIES = 2 ** 21;

/** How PPRGo is relaxed. */
export interface PprgoVictimOptions {
  /** Rows of PageRank of the clean graph, one per node in this order. */
  readonly push: PushNodes;
  /** Default: the features of the graph. */
  readonly features?: FeatureSource;
  readonly blockSize: number;
  readonly denominator: DenominatorGradient;
}

/** Throws unless flips are at the node itself: the closed-form update changes no row but the node's. */
export function checkDirect({ name }: Pprgo, influence: Influence): void {
  check(
    influence === "direct",
    () => `local-prbcd: ${name} can only be attacked at the node itself; leave out ${influence}`,
  );
}

/**
 * PPRGo and its relatives through the closed-form update of the node's PageRank row. Rows and encodings are computed for the node, its
 * neighbours and the block alone, so neither memory nor time per epoch grows with the graph.
 */
export class PprgoVictim implements RelaxedVictim {
  readonly isCheap = true;
  readonly model: Pprgo;
  readonly graph: DirectedRows;
  readonly rows: RowsOnDemand;
  readonly trials: PushedTrials;
  readonly denominator: DenominatorGradient;
  readonly encoded: EncodedSlots;

  constructor(model: Pprgo, graph: DirectedRows, options: PprgoVictimOptions) {
    const { push, blockSize, denominator, features = (nodes: Int32Array) => graph.features(nodes) } = options;
    this.model = model;
    this.graph = graph;
    this.denominator = denominator;
    this.trials = new PushedTrials(model, graph);
    const { alpha, k } = model.pageRank;
    this.rows = new RowsOnDemand(push, { alpha, mostEntries: 2 * blockSize * k });
    this.encoded = new EncodedSlots(model, features);
  }

  relaxed(target: LocalTarget, goal: NodeGoal): RelaxedNode {
    checkDirect(this.model, target.influence);
    return new PprgoNode(this, target, goal);
  }

  dispose(): void {
    this.encoded.dispose();
    this.trials.dispose();
  }
}

class PprgoNode implements RelaxedNode {
  private readonly victim: PprgoVictim;
  private readonly target: LocalTarget;
  private readonly goal: NodeGoal;
  private readonly neighbours: ArrayLike<number>;
  private signs: Float64Array = new Float64Array(0);
  /** The other end of each candidate. */
  private others: Int32Array = new Int32Array(0);
  private mixed: Mixture | null = null;

  constructor(victim: PprgoVictim, target: LocalTarget, goal: NodeGoal) {
    this.victim = victim;
    this.target = target;
    this.goal = goal;
    this.neighbours = victim.graph.neighbours(target.node);
  }

  async lay({ sources, targets, signs }: NodeBlock): Promise<void> {
    const { node } = this.target;
    this.signs = signs;
    this.others = sources.map((source, e) => (source === node ? targets[e] : source));
    const { rows, model, encoded } = this.victim;
    const named = [node, ...Array.from(this.neighbours), ...this.others];
    await rows.require(named);
    this.mixed = new Mixture(model, slotsOf(rows, named), await encoded.of(rows));
  }

  async step(weights: Float64Array, rowLoss: RowLoss = goalLoss(this.goal.loss, this.target)): Promise<NodeStep> {
    const { rows, denominator } = this.victim;
    const active = placesAbove(weights, this.goal.floor);
    const row = updatePageRank(rows, this.target.node, this.neighbours, {
      nodes: active.map((e) => this.others[e]),
      deltas: active.map((e) => this.signs[e] * weights[e]),
    });
    const { loss, logits, byValues } = await this.mixture.at(row.values, rowLoss);
    const gradient = row.gradient(byValues, this.others, denominator);
    return { loss, logits, gradient: gradient.map((slope, e) => slope * this.signs[e]) };
  }

  /** Estimates by whole flips instead of slopes: a median moves little at first, and then all at once. */
  async estimate(places: readonly number[]): Promise<Float64Array> {
    const { rows } = this.victim;
    const { node, label, towards } = this.target;
    const change = { nodes: places.map((e) => this.others[e]), deltas: places.map((e) => this.signs[e]) };
    const changed = new OneMoreChange(rows, { node, neighbours: this.neighbours, change });
    const estimates = new Float64Array(this.others.length).fill(Number.POSITIVE_INFINITY);
    const taken = new Set(places);
    const left = [...estimates.keys()].filter((e) => !taken.has(e));
    const batch = Math.max(1, Math.floor(BATCH_ENTRIES / (changed.slots.length + this.victim.model.pageRank.k)));
    for (let begin = 0; begin < left.length; begin += batch) {
      const part = left.slice(begin, begin + batch);
      const tried = { nodes: part.map((e) => this.others[e]), deltas: part.map((e) => this.signs[e]) };
      const logits = await this.mixture.logitsOf(changed.rowsAfter(tried));
      for (const [t, e] of part.entries()) estimates[e] = distanceToGoal(logits[t], label, towards);
    }
    return estimates;
  }

  logitsAfter(flips: Flips): Promise<Values> {
    return this.victim.trials.logits(this.target.node, flips);
  }

  /** What the model mixes for the candidates that are laid. */
  private get mixture(): Mixture {
    if (!this.mixed) throw new Error("PprgoNode: no candidates were laid");
    return this.mixed;
  }

  dispose(): void {}
}

/** The slots that the rows of these nodes name, ascending. */
function slotsOf(rows: RowsOnDemand, nodes: readonly number[]): Int32Array {
  const isNamed = new Uint8Array(rows.numSlots);
  let count = 0;
  for (const node of nodes) {
    const { columns } = rows.row(node);
    for (let e = 0; e < columns.length; e++) {
      if (isNamed[columns[e]] === 0) count++;
      isNamed[columns[e]] = 1;
    }
  }
  const slots = new Int32Array(count);
  for (let slot = 0, t = 0; t < count; slot++) if (isNamed[slot] === 1) slots[t++] = slot;
  return slots;
}
