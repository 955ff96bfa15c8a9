import { BudgetError, check } from "../core/errors.ts";
import { type Flips, noFlips } from "../graph/flips.ts";
import type { Model } from "../nn/model.ts";
import { evaluate } from "../nn/training/evaluate.ts";
import { type GraphView, withFlips } from "../tensor/index.ts";
import type { AttackResult, AttackTask, PolishReport, StageReport, TraceEntry } from "./attack.ts";
import { checkBudget, numPairs } from "./budget.ts";
import { countAllowed } from "./constraints/allowed-pairs.ts";
import type { Constraints } from "./constraints/constraints.ts";
import { accuracyObjective } from "./objective.ts";
import { classify, classifyAfter, TargetOutcomes } from "./target-outcomes.ts";
import { Victim } from "./victim.ts";

/** What the search of an attack finds. */
export interface Found {
  readonly flips: Flips;
  readonly trace: readonly TraceEntry[];
  /** What polish did, if the search was followed by it. */
  readonly polish?: PolishReport;
  /** What each search achieved, if there were several. */
  readonly stages?: readonly StageReport[];
}

/**
 * The frame of every attack: checks the task, runs `search`, checks that its flips obey the budget (rule B1) and the
 * constraints, and evaluates them on the discrete graph afresh (rule B3). If the budget is 0 or the task's signal is aborted already, `search` is
 * not called and nothing is flipped.
 *
 * @example
 * // removes as many random edges as the budget allows
 * export const removeAtRandom: Attack<object> = (model, view, task) =>
 *   attackWith("remove-at-random", model, view, task, async () => {
 *     const { rowPtr, colIdx } = hostGraph(view, "remove-at-random").adjacency;
 *     const edges: [number, number][] = [];
 *     for (let i = 0; i < view.numNodes; i++) {
 *       for (const j of colIdx.subarray(rowPtr[i], rowPtr[i + 1])) if (view.directed || i < j) edges.push([i, j]);
 *     }
 *     const places = task.rng.shuffle(Int32Array.from(edges.keys())).slice(0, task.budget);
 *     const sources = Int32Array.from(places, (place) => edges[place]![0]);
 *     const targets = Int32Array.from(places, (place) => edges[place]![1]);
 *     return { flips: { sources, targets }, trace: [] };
 *   });
 */
export async function attackWith(
  name: string,
  model: Model,
  view: GraphView,
  task: AttackTask,
  search: (victim: Victim) => Promise<Found>,
): Promise<AttackResult> {
  const { nodes, budget, signal, objective = accuracyObjective, constraints } = task;
  check(nodes.length > 0, () => `${name}: there are no nodes to attack`);
  checkBudget(view, budget);
  if (constraints) checkConstraints(name, view, constraints);
  const { memory } = view.backend;
  memory.resetPeak();
  const clean = await classify(model, view, nodes, objective);
  const begin = performance.now();
  const nothing: Found = { flips: noFlips, trace: [] };
  const found = budget === 0 || signal?.aborted ? nothing : await searchOn(model, view, task, search);
  const { flips, trace, polish = null, stages = null } = found;
  const mistake = overspent(flips, budget) ?? constraints?.firstViolation(flips) ?? null;
  if (mistake !== null) throw new Error(`${name}: a mistake in the attack: ${mistake}`);
  const seconds = (performance.now() - begin) / 1000;
  const adversarial = await classifyAfter(model, view, flips, nodes, objective);
  const targets = new TargetOutcomes(view.labels, nodes, clean, adversarial);
  return {
    perturbation: { flips },
    targets,
    accuracy: targets.accuracy,
    score: { objective: objective.name, clean: clean.score, adversarial: adversarial.score },
    trace,
    stages,
    polish,
    cost: {
      epochs: trace.length,
      seconds,
      secondsPerEpoch: trace.length > 0 ? (seconds - (polish?.seconds ?? 0)) / trace.length : 0,
      peakBytes: memory.peak,
    },
    interrupted: signal?.aborted ?? false,
  };
}

function overspent({ sources }: Flips, budget: number): string | null {
  return sources.length > budget ? `it flips ${sources.length} pairs with a budget of ${budget}` : null;
}

/**
 * Throws if the constraints are those of another graph, or allow no pair at all. A budget above what they allow is
 * fine: it is an upper bound.
 */
export function checkConstraints(name: string, view: GraphView, constraints: Constraints): void {
  const { numNodes, directed } = constraints.graph;
  check(
    numNodes === view.numNodes && directed === view.directed,
    () => `${name}: the constraints are those of another graph; make them from the one that is attacked`,
  );
  check(
    countAllowed(constraints) > 0,
    () => `${name}: the constraints allow 0 of ${numPairs(view)} pairs to be flipped; allow some`,
    BudgetError,
  );
}

async function searchOn<T>(
  model: Model,
  view: GraphView,
  task: AttackTask,
  search: (victim: Victim) => Promise<T>,
): Promise<T> {
  const victim = new Victim(model, view, task.nodes, task.objective);
  try {
    return await search(victim);
  } finally {
    victim.dispose();
  }
}

/** Accuracy of a model on the discrete graph with these flips. */
export async function accuracyAfter(
  model: Model,
  view: GraphView,
  flips: Flips,
  nodes: ArrayLike<number>,
): Promise<number> {
  const perturbed = withFlips(view, flips);
  return evaluate(model, perturbed, nodes).finally(() => perturbed.dispose());
}
