import { FlipSet } from "../attack/choose-flips.ts";
import type { EdgeChanges } from "../backend/backend.ts";
import type { Rng } from "../core/rng.ts";
import { hasEntry, numEntries } from "../graph/csr.ts";
import type { Flips } from "../graph/flips.ts";
import type { Graph } from "../graph/graph.ts";

/** How many pairs a change inserts and how many it removes. */
export interface ChangeKind {
  readonly name: string;
  readonly insertions: number;
  readonly removals: number;
}

export const CHANGE_KINDS: readonly ChangeKind[] = [
  { name: "1 insertion", insertions: 1, removals: 0 },
  { name: "1 removal", insertions: 0, removals: 1 },
  { name: "10 flips, half and half", insertions: 5, removals: 5 },
];

/** Random changes of one kind to an undirected graph, uniform over pairs without an edge and over edges. */
export function randomChanges(graph: Graph, kind: ChangeKind, count: number, rng: Rng): EdgeChanges {
  const changes = Array.from({ length: count }, () => randomChange(graph, kind, rng));
  const size = kind.insertions + kind.removals;
  return {
    offsets: Int32Array.from({ length: count + 1 }, (_, t) => t * size),
    sources: Int32Array.from(changes.flatMap(({ sources }) => [...sources])),
    targets: Int32Array.from(changes.flatMap(({ targets }) => [...targets])),
  };
}

/** The pairs of change t. */
export function changeAt({ offsets, sources, targets }: EdgeChanges, t: number): Flips {
  const begin = offsets[t];
  const end = offsets[t + 1];
  return { sources: sources.subarray(begin, end), targets: targets.subarray(begin, end) };
}

/** The first changes. */
export function firstChanges({ offsets, sources, targets }: EdgeChanges, count: number): EdgeChanges {
  const end = offsets[count];
  return {
    offsets: offsets.subarray(0, count + 1),
    sources: sources.subarray(0, end),
    targets: targets.subarray(0, end),
  };
}

function randomChange({ adjacency, numNodes }: Graph, { insertions, removals }: ChangeKind, rng: Rng): Flips {
  const pairs = new FlipSet();
  while (pairs.size < removals) {
    const entry = rng.integer(numEntries(adjacency));
    const i = rowOfEntry(adjacency.rowPtr, entry);
    const j = adjacency.colIdx[entry];
    pairs.add(Math.min(i, j), Math.max(i, j));
  }
  while (pairs.size < insertions + removals) {
    const i = rng.integer(numNodes);
    const j = rng.integer(numNodes);
    if (i < j && !hasEntry(adjacency, i, j)) pairs.add(i, j);
  }
  return pairs.toFlips();
}

/** The row that holds an entry. */
function rowOfEntry(rowPtr: ArrayLike<number>, entry: number): number {
  let low = 0;
  let high = rowPtr.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (rowPtr[middle] <= entry) low = middle;
    else high = middle;
  }
  return low;
}
