import { checkBudget, edgeBudget } from "../../attack/budget.ts";
import type { LoadedGraph } from "../../data/preprocess.ts";
import { graphContentHash } from "./graph-content.ts";
import type { GraphDescription } from "./run-description.ts";
import type { BudgetWish, DatasetChoice } from "./study.ts";

/** What descriptions of runs need to know about their graph. */
export interface PlannedGraph {
  /** The name by which presets are found. */
  readonly name: string;
  readonly description: GraphDescription;
  readonly classes: readonly string[];
  /** Number of flips of a budget; throws if the graph has no room for them. */
  flipsOf(budget: BudgetWish): number;
}

/** A graph that was loaded. */
export function loadedGraph(choice: DatasetChoice, { graph, classes }: LoadedGraph): PlannedGraph {
  return {
    name: graph.name,
    description: { ...choice, sha256: graphContentHash(graph) },
    classes,
    flipsOf(wish) {
      const flips = "budget" in wish ? wish.budget : edgeBudget(graph, wish.epsilon);
      checkBudget(graph, flips);
      return flips;
    },
  };
}

/** A graph that is not loaded: enough to find results of experiments on it, but not to measure any. */
export function namedGraph(choice: DatasetChoice): PlannedGraph {
  return {
    name: choice.dataset,
    description: { ...choice, sha256: "" },
    classes: [],
    flipsOf: (wish) => ("budget" in wish ? wish.budget : 0),
  };
}
