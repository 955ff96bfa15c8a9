import { check, DataError } from "../core/errors.ts";
import { largestComponentNodes } from "../graph/components.ts";
import { selectRows } from "../graph/select-rows.ts";
import { symmetrise } from "../graph/symmetrise.ts";
import { edgesOf } from "./edges-of.ts";
import { NodeIds } from "./node-ids.ts";
import type { RawGraph } from "./raw-graph.ts";
import { renumberSplit, type Split } from "./splits.ts";

/**
 * Replaces the edges of a graph by those of another; features, labels, ids and splits stay. Nodes are matched by the
 * ids of the other file. If it has none, it must have as many nodes as the graph, or as the graph's largest component:
 * then only the nodes of that component are kept.
 */
export function replaceEdges(raw: RawGraph, other: RawGraph, ignoreWeights = false): RawGraph {
  const numNodes = raw.labels.length;
  const count = other.adjacency.numRows;
  const ids = raw.ids ? NodeIds.of(raw.ids, raw.where) : NodeIds.numbered(numNodes, raw.where);
  const replaced = { adjacency: other.adjacency, ...(other.directed && { directed: true }) };
  const say = (matched: string) => ({
    notes: [...(raw.notes ?? []), `${raw.name}: edges are those of ${other.where}, ${matched}`],
  });
  if (other.ids) {
    const nodes = Int32Array.from({ length: count }, (_, k) => ids.nodeOf(other.ids![k]));
    return {
      ...restrict(raw, nodes, ids),
      ...replaced,
      allComponents: true,
      ...say(`matched by the ids of ${count} nodes`),
    };
  }
  if (count === numNodes) return { ...raw, ...replaced, ...say(`matched with all ${count} nodes`) };
  const { edges } = edgesOf(raw.adjacency, ids, raw.where, ignoreWeights);
  const kept = largestComponentNodes(symmetrise(edges));
  check(
    count === kept.length,
    () =>
      `${other.where}: has ${count} nodes, but ${raw.name} has ${numNodes}, of which ${kept.length} are in its largest component`,
    DataError,
  );
  const matched = `matched with the ${count} nodes of its largest component`;
  return { ...restrict(raw, kept, ids), ...replaced, allComponents: true, ...say(matched) };
}

/** Restricts all of a graph but its edges to the given nodes, in this order. */
function restrict(raw: RawGraph, nodes: Int32Array, ids: NodeIds): RawGraph {
  const splits = Object.entries(raw.splits ?? {}).map(([name, split]) => [
    name,
    renumberSplit(split, nodes, ids.length),
  ]);
  return {
    ...raw,
    features: selectRows(raw.features, nodes),
    labels: Int32Array.from(nodes, (node) => raw.labels[node]),
    ids: ids.idsOf(nodes),
    ...(raw.splits && { splits: Object.fromEntries(splits) as Record<string, Split> }),
  };
}
