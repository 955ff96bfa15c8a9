import { check } from "../core/errors.ts";
import { type Csr, csrFromEntries, hasEntry, numEntries } from "./csr.ts";
import type { Graph } from "./graph.ts";
import { type GraphRows, hasNeighbour } from "./graph-rows.ts";
import { mergeRows } from "./merge-rows.ts";

/**
 * Node pairs to toggle: an existing edge is removed, a missing one is added. Row `sources[k]` gains or loses column
 * `targets[k]`. On an undirected graph a pair stands for both directions and is named once, source < target (rule G3).
 */
export interface Flips {
  readonly sources: Int32Array;
  readonly targets: Int32Array;
}

export const noFlips: Flips = { sources: new Int32Array(0), targets: new Int32Array(0) };

/** What a flip does to an edge. */
export type FlipAction = "add" | "remove";

/**
 * Throws unless every pair can be flipped on `graph`: nodes in range, no self loop, no pair twice. Reads no edges, so
 * the graph may be of any size.
 */
export function checkFlips(graph: Pick<Graph, "numNodes" | "directed">, { sources, targets }: Flips): void {
  checkPairs(graph, { sources, targets });
  const words = new Uint32Array(2 * sources.length);
  for (let k = 0; k < sources.length; k++) {
    words[2 * k] = targets[k];
    words[2 * k + 1] = sources[k];
  }
  new BigUint64Array(words.buffer).sort(); // puts equal pairs next to each other
  let repeated = 0;
  for (let at = 2; at < words.length; at += 2) {
    if (words[at] === words[at - 2] && words[at + 1] === words[at - 1]) repeated++;
  }
  checkDistinct(repeated, sources.length);
}

/** For each pair, whether flipping it adds or removes an edge of `graph`. */
export function flipActions(graph: Graph, { sources, targets }: Flips): FlipAction[] {
  return Array.from(sources, (source, k) => (hasEntry(graph.adjacency, source, targets[k]) ? "remove" : "add"));
}

/** As {@link flipActions}, for a graph of any size that is read row by row. */
export function rowActions(rows: Pick<GraphRows, "neighbours">, { sources, targets }: Flips): FlipAction[] {
  return Array.from(sources, (source, k) => (hasNeighbour(rows, source, targets[k]) ? "remove" : "add"));
}

/**
 * The graph with the pairs toggled; features and labels are shared. Linear in nodes, entries and pairs. Toggling is
 * its own inverse: applying the same flips again restores the graph (rule B2).
 */
export function applyFlips(graph: Graph, flips: Flips): Graph {
  if (flips.sources.length === 0 && flips.targets.length === 0) return graph;
  return graph.withAdjacency(mergeRows(graph.adjacency, toggles(graph, flips), "drop"));
}

/** The matrix with the entries of these pairs toggled, both directions of each unless `directed`. Nothing is checked. */
export function toggleEntries(A: Csr, flips: Flips, directed: boolean): Csr {
  return mergeRows(A, pairMatrix(A.numRows, flips, directed), "drop");
}

/** The checked pairs as a matrix, both directions of each if the graph is undirected. */
function toggles(graph: Pick<Graph, "numNodes" | "directed">, { sources, targets }: Flips): Csr {
  const { numNodes, directed } = graph;
  checkPairs(graph, { sources, targets });
  const matrix = pairMatrix(numNodes, { sources, targets }, directed);
  const repeated = (directed ? 1 : 2) * sources.length - numEntries(matrix);
  checkDistinct(directed ? repeated : repeated / 2, sources.length);
  return matrix;
}

function checkPairs({ numNodes, directed }: Pick<Graph, "numNodes" | "directed">, { sources, targets }: Flips): void {
  check(
    sources.length === targets.length,
    () => `flips: ${sources.length} sources for ${targets.length} targets; a flip is one of each`,
  );
  for (let k = 0; k < sources.length; k++) {
    const i = sources[k];
    const j = targets[k];
    const pair = () => `flips: pair ${k} (${i}, ${j})`;
    check(i >= 0 && i < numNodes && j >= 0 && j < numNodes, () => `${pair()} must name nodes 0 … ${numNodes - 1}`);
    check(i !== j, () => `${pair()} is a self loop; leave it out`);
    check(directed || i < j, () => `${pair()} must have source < target on an undirected graph; swap them`);
  }
}

function checkDistinct(repeated: number, count: number): void {
  check(repeated === 0, () => `flips: ${repeated} of ${count} pairs repeat an earlier one`);
}

function pairMatrix(numNodes: number, { sources, targets }: Flips, directed: boolean): Csr {
  const rows = directed ? sources : concat(sources, targets);
  const cols = directed ? targets : concat(targets, sources);
  return csrFromEntries(numNodes, numNodes, rows, cols);
}

function concat(a: Int32Array, b: Int32Array): Int32Array {
  const joined = new Int32Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
