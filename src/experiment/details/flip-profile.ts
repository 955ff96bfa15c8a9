import { type Flips, flipActions } from "../../graph/flips.ts";
import type { CleanGraph } from "./clean-graph.ts";
import { countUp, degreeBin } from "./degree-bins.ts";
import { MOST_CLASSES } from "./graph-profile.ts";
import { shortNumber } from "./short-number.ts";

/** Which flips an attack made, and properties of the perturbed graph. */
export interface FlipProfile {
  readonly added: FlipCounts;
  readonly removed: FlipCounts;
  /** Homophily of the perturbed graph. */
  readonly homophily: number | null;
  readonly degrees: readonly number[];
}

/** Flips of one kind, counted in several ways. */
export interface FlipCounts {
  readonly count: number;
  /**
   * By the classes of their ends: `byClass[row * numClasses + column]`; of an undirected graph the smaller class is the row. Null if there
   * are too many classes.
   */
  readonly byClass: readonly number[] | null;
  /** Ends of flips by their degree on the clean graph, in bins that double. */
  readonly ends: readonly number[];
  /** By the steps from the nearer end to a training node; the last count includes all farther flips. */
  readonly steps: readonly number[];
}

/**
 * Counts flips. The cost depends on the number of flips alone: changes are applied to the counts of the clean graph.
 */
export function flipProfile(clean: CleanGraph, flips: Flips): FlipProfile {
  const { graph, profile, degrees, steps, edges } = clean;
  const { labels, numClasses, directed } = graph;
  const actions = flipActions(graph, flips);
  const counts = { add: emptyCounts(numClasses), remove: emptyCounts(numClasses) };
  const changes = new Map<number, number>(); // of degrees
  let sameClass = edges.sameClass;
  let knownClass = edges.knownClass;
  for (const [k, action] of actions.entries()) {
    const source = flips.sources[k];
    const target = flips.targets[k];
    const change = action === "add" ? 1 : -1;
    const kind = counts[action];
    kind.count++;
    countUp(kind.steps, Math.min(steps[source], steps[target]));
    for (const end of [source, target]) countUp(kind.ends, degreeBin(degrees[end]));
    for (const end of directed ? [source] : [source, target]) changes.set(end, (changes.get(end) ?? 0) + change);
    const row = labels[source];
    const column = labels[target];
    if (row < 0 || column < 0) continue;
    knownClass += change;
    if (row === column) sameClass += change;
    const isTurned = !directed && row > column;
    if (kind.byClass) kind.byClass[isTurned ? column * numClasses + row : row * numClasses + column]++;
  }
  return {
    added: counts.add,
    removed: counts.remove,
    homophily: knownClass > 0 ? shortNumber(sameClass / knownClass) : null,
    degrees: degreesAfter(profile.degrees, degrees, changes),
  };
}

function emptyCounts(numClasses: number) {
  const byClass = numClasses > MOST_CLASSES ? null : new Array<number>(numClasses ** 2).fill(0);
  return { count: 0, byClass, ends: [] as number[], steps: [] as number[] };
}

function degreesAfter(before: readonly number[], degrees: Int32Array, changes: ReadonlyMap<number, number>): number[] {
  const after = [...before];
  for (const [node, change] of changes) {
    countUp(after, degreeBin(degrees[node]), -1);
    countUp(after, degreeBin(degrees[node] + change));
  }
  return after;
}
