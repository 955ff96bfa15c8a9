import { check } from "../../core/errors.ts";
import { silent } from "../../core/progress.ts";
import { Rng } from "../../core/rng.ts";
import { type Flips, noFlips, rowActions } from "../../graph/flips.ts";
import type { Model } from "../../nn/model.ts";
import type { Pprgo } from "../../nn/models/pprgo.ts";
import { checkLabels } from "../../nn/training/labelled-rows.ts";
import type { GraphView } from "../../tensor/index.ts";
import { type AttackedGraph, attackedGraph } from "./attacked-graph.ts";
import { checkLocalFlips } from "./check-local-flips.ts";
import { fewestFlips } from "./fewest-flips.ts";
import { checkLocalBudget, flipsAllowed } from "./local-budget.ts";
import type { LocalResult } from "./local-result.ts";
import type { FoundFlips, LocalSearch, LocalTarget, LocalTask } from "./local-task.ts";
import { neighbourhoodOf } from "./neighbourhood.ts";
import { type NodeEvaluator, openEvaluator } from "./node-evaluator.ts";
import { type NodeOutcome, reachesGoal } from "./node-outcome.ts";
import { RowsEvaluator } from "./rows-evaluator.ts";

/** A search with what it computed once for all nodes. */
export interface PreparedSearch {
  readonly search: LocalSearch;
  /** Throws if a node asks for what the search cannot do. Every node with a budget is checked before the first is searched. */
  check?(target: LocalTarget): void;
  dispose(): void;
}

/**
 * The frame of every attack on single nodes: checks the task, calls `prepare` once and its search for each node, checks the flips
 * (rules B1 and B4) and evaluates them on the discrete graph afresh (rule B3). Results come in the order of the task, as
 * they are finished. A node with a budget of 0 is not searched.
 *
 * @example
 * // removes random edges of each node
 * const removeAtRandom: LocalAttack<object> = (model, view, task) =>
 *   localAttackWith("remove-at-random", model, view, task, async () => ({
 *     async search({ node, budget, rng }) {
 *       const { rowPtr, colIdx } = hostGraph(view, "remove-at-random").adjacency;
 *       const removed = rng.shuffle(colIdx.slice(rowPtr[node], rowPtr[node + 1])).slice(0, budget);
 *       return flipsAt(view, node, removed);
 *     },
 *     dispose() {},
 *   }));
 */
export function localAttackWith(
  name: string,
  model: Model,
  view: GraphView,
  task: LocalTask,
  prepare: () => Promise<PreparedSearch>,
): AsyncGenerator<LocalResult, void> {
  const { victim = model, nodes, evaluateOn = "graph" } = task;
  const open = () => openEvaluator(victim, view, nodes, evaluateOn);
  return attackEach(name, task, { graph: attackedGraph(view, name), open, prepare });
}

/** {@link localAttackWith} for PPRGo and its relatives, on a graph that may be larger than memory. */
export function localAttackOnRows(
  name: string,
  model: Pprgo,
  graph: AttackedGraph,
  task: Omit<LocalTask, "victim" | "evaluateOn">,
  prepare: () => Promise<PreparedSearch>,
): AsyncGenerator<LocalResult, void> {
  return attackEach(name, task, { graph, open: () => RowsEvaluator.open(model, graph, task.nodes), prepare });
}

/** The graph that is attacked, and how to make the evaluator and the search. */
interface Means {
  readonly graph: AttackedGraph;
  open(): Promise<NodeEvaluator>;
  prepare(): Promise<PreparedSearch>;
}

async function* attackEach(
  name: string,
  task: LocalTask,
  { graph, open, prepare }: Means,
): AsyncGenerator<LocalResult, void> {
  const { budget, progress = silent, signal } = task;
  const targets = targetsOf(name, graph, task);
  const places = task.places ?? targets.keys();
  let done = 0;
  const evaluator = await open();
  try {
    if (signal?.aborted) return;
    const prepared = await prepare();
    const run: Run = { name, graph, evaluator, minimal: budget.minimal ?? false, ...prepared };
    try {
      for (const target of targets) if (target.budget > 0) prepared.check?.(target);
      for (const place of places) {
        if (signal?.aborted) return;
        const result = await attackNode(run, targets[place]);
        progress.update(++done, targets.length);
        yield result;
      }
    } finally {
      prepared.dispose();
    }
  } finally {
    evaluator.dispose();
  }
}

/** What all nodes of an attack have in common. */
interface Run extends PreparedSearch {
  readonly name: string;
  readonly graph: AttackedGraph;
  readonly evaluator: NodeEvaluator;
  readonly minimal: boolean;
}

function targetsOf(name: string, graph: AttackedGraph, task: LocalTask): LocalTarget[] {
  const { nodes, budget, rng, influence = "direct", signal } = task;
  check(nodes.length > 0, () => `${name}: there are no nodes to attack`);
  checkLocalBudget(budget);
  const labels = checkLabels(nodes, graph.labels(nodes));
  const classes = goalsOf(name, task, labels);
  const { seed } = rng.fork();
  return Array.from(nodes, (node, k) => {
    const degree = graph.degree(node);
    return {
      node,
      label: labels[k],
      degree,
      budget: flipsAllowed(budget, degree, graph.numNodes),
      towards: classes[k],
      influence,
      rng: new Rng(seed, node),
      ...(signal && { signal }),
    };
  });
}

/** The class that each node should get; null means any but its own. */
function goalsOf(name: string, { nodes, towards }: LocalTask, labels: Int32Array): (number | null)[] {
  const classes = typeof towards === "object" ? towards : Array.from(nodes, () => towards ?? null);
  check(
    classes.length === nodes.length,
    () => `${name}: ${classes.length} classes to attack towards for ${nodes.length} nodes; give one per node, or one`,
  );
  return Array.from(nodes, (node, k) => {
    const goal = classes[k];
    check(
      goal === null || (Number.isInteger(goal) && goal >= 0),
      () => `${name}: the class to attack towards must be a whole number from 0 on, got ${goal}`,
    );
    check(goal !== labels[k], () => `${name}: node ${node} is of class ${goal} already; attack it towards another`);
    return goal;
  });
}

async function attackNode(run: Run, target: LocalTarget): Promise<LocalResult> {
  const { name, graph, evaluator } = run;
  const { node, label, degree, budget, towards, influence, signal } = target;
  const clean = evaluator.clean(target);
  checkGoal(name, towards, clean);
  const begin = performance.now();
  const { epochs = 0, sources, targets } = await searchOn(run, target);
  const flips = { sources, targets };
  const seconds = (performance.now() - begin) / 1000;
  checkLocalFlips(name, graph, target, flips);
  const adversarial = await evaluator.afresh(target, flips);
  return {
    node,
    label,
    degree,
    budget,
    towards,
    influence,
    perturbation: { flips },
    actions: rowActions(graph, flips),
    clean,
    adversarial,
    success: !reachesGoal(clean, towards) && reachesGoal(adversarial, towards),
    neighbourhood: neighbourhoodOf(graph, node, flips),
    epochs,
    seconds,
    interrupted: signal?.aborted ?? false,
  };
}

function checkGoal(name: string, towards: number | null, { probabilities }: NodeOutcome): void {
  const classes = probabilities.length;
  check(
    towards === null || towards < classes,
    () => `${name}: the class to attack towards must be in 0 … ${classes - 1}, got ${towards}`,
  );
}

async function searchOn({ minimal, search, evaluator }: Run, target: LocalTarget): Promise<FoundFlips> {
  if (target.budget === 0) return noFlips;
  if (!minimal) return search(target);
  let epochs = 0;
  const counted: LocalSearch = async (smaller) => {
    const found = await search(smaller);
    epochs += found.epochs ?? 0;
    return found;
  };
  const succeeds = async (flips: Flips) => reachesGoal(await evaluator.tried(target, flips), target.towards);
  const { sources, targets } = await fewestFlips(counted, target, succeeds);
  return { sources, targets, epochs };
}
