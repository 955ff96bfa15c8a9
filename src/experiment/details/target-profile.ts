import type { Classification } from "../../attack/target-outcomes.ts";
import type { CleanGraph } from "./clean-graph.ts";
import { countUp, degreeBin } from "./degree-bins.ts";
import { type FiveNumbers, fiveNumbers } from "./five-numbers.ts";
import { MOST_CLASSES } from "./graph-profile.ts";
import { type MarginHistogram, marginHistogram } from "./margin-histogram.ts";

/** Counts of how the measured nodes are classified; no single node is kept. */
export interface TargetProfile {
  /** Histogram of all margins; null if there are none. */
  readonly margins: MarginHistogram | null;
  /** For box plots of the same margins. */
  readonly boxes: { readonly before: FiveNumbers | null; readonly after: FiveNumbers | null };
  /** By degree on the clean graph, in bins that double. */
  readonly byDegree: GroupCounts;
  /** By the true class; null if there are too many. */
  readonly byClass: GroupCounts | null;
}

/** Number of nodes in each group, and how many of them are classified correctly. */
export interface GroupCounts {
  readonly nodes: readonly number[];
  readonly clean: readonly number[];
  /** Null where nothing was attacked. */
  readonly adversarial: readonly number[] | null;
}

/** Profile of the measured nodes on the clean graph and, if they were attacked, afterwards. */
export function targetProfile(
  { graph, degrees }: Pick<CleanGraph, "graph" | "degrees">,
  nodes: ArrayLike<number>,
  clean: Classification,
  adversarial: Classification | null,
): TargetProfile {
  const { labels, numClasses } = graph;
  const count = (groupOf: (node: number) => number, numGroups: number): GroupCounts => {
    const zeros = () => new Array<number>(numGroups).fill(0);
    const counts = { nodes: zeros(), clean: zeros(), adversarial: adversarial && zeros() };
    for (let k = 0; k < nodes.length; k++) {
      const node = nodes[k];
      const group = groupOf(node);
      countUp(counts.nodes, group);
      countUp(counts.clean, group, clean.predictions[k] === labels[node] ? 1 : 0);
      if (!counts.adversarial) continue;
      countUp(counts.adversarial, group, adversarial?.predictions[k] === labels[node] ? 1 : 0);
    }
    return counts;
  };
  return {
    margins: marginHistogram(clean.margins, adversarial?.margins ?? null),
    boxes: { before: fiveNumbers(clean.margins), after: adversarial && fiveNumbers(adversarial.margins) },
    byDegree: count((node) => degreeBin(degrees[node]), 0),
    byClass: numClasses > MOST_CLASSES ? null : count((node) => labels[node], numClasses),
  };
}
