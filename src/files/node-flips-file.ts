import { formatCsvLine } from "../data/formats/csv-line.ts";
import type { NodeIds } from "../data/node-ids.ts";
import type { FlipAction, Flips } from "../graph/flips.ts";
import { writeAtomically } from "./write-atomically.ts";

/** The flips that were found for one node. */
export interface NodeFlips {
  readonly node: number;
  readonly flips: Flips;
  /** Whether each flip adds or removes an edge. */
  readonly actions: readonly FlipAction[];
}

/**
 * Writes the flips of attacks on single nodes as csv, one `node,source,target,action` per line: each node has a
 * perturbation of its own. Nodes are written with their ids in the input.
 */
export async function writeNodeFlips(file: string, found: readonly NodeFlips[], ids: NodeIds): Promise<void> {
  const lines = found.flatMap(({ node, flips, actions }) =>
    actions.map((action, k) =>
      formatCsvLine([ids.idOf(node), ids.idOf(flips.sources[k]), ids.idOf(flips.targets[k]), action]),
    ),
  );
  await writeAtomically(file, ["node,source,target,action", ...lines, ""].join("\n"));
}
