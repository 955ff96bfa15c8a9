import type { Rng } from "../../../core/rng.ts";
import type { GraphRows } from "../../../graph/graph-rows.ts";
import type { Influence, LocalTarget } from "../local-task.ts";

/** What candidates are drawn from: rows of a graph of any size. */
export type CandidateGraph = Pick<GraphRows, "numNodes" | "neighbours"> & { readonly directed: boolean };

/** Candidate flips for one node, on the host, in ascending order of their numbers. */
export interface NodeBlock {
  /** The numbers of the candidates in their space, by which blocks are compared. */
  readonly numbers: Float64Array;
  readonly sources: Int32Array;
  readonly targets: Int32Array;
  /** −1 for an edge of the graph, else +1. */
  readonly signs: Float64Array;
}

/**
 * The pairs that an attack on one node may flip, numbered. Nothing is stored per candidate, so a space may be as large as the graph
 * is; some numbers stand for no pair.
 */
export class CandidateSpace {
  /** Numbers are below this. */
  readonly size: number;
  private readonly graph: CandidateGraph;
  /** The node that no pair may end at; −1 if there is none. */
  private readonly spared: number;
  /** Every pair has one of these as an end. */
  private readonly sites: readonly number[];
  private readonly isSite: ReadonlySet<number>;
  private readonly insertOnly: boolean;
  private readonly neighboursOf = new Map<number, ReadonlySet<number>>();

  constructor(
    graph: CandidateGraph,
    { node, influence }: Pick<LocalTarget, "node" | "influence">,
    { insertOnly = false }: { insertOnly?: boolean } = {},
  ) {
    this.graph = graph;
    this.insertOnly = insertOnly;
    this.sites = sitesOf(graph, node, influence);
    this.isSite = new Set(this.sites);
    this.spared = influence === "influencer" ? node : -1;
    this.size = this.sites.length * graph.numNodes;
  }

  /** All pairs. */
  all(): NodeBlock {
    return this.blockOf(Float64Array.from({ length: this.size }, (_, number) => number));
  }

  /** About `count` random pairs: one from each of as many equal ranges of numbers, less those that stand for no pair. */
  draw(count: number, rng: Rng): NodeBlock {
    return this.blockOf(this.drawNumbers(count, rng));
  }

  /** The pairs that these numbers stand for. Numbers must ascend. */
  blockOf(numbers: Float64Array): NodeBlock {
    const kept = numbers.filter((number) => this.isPair(number));
    const sources = new Int32Array(kept.length);
    const targets = new Int32Array(kept.length);
    const signs = new Float64Array(kept.length);
    const { directed, numNodes } = this.graph;
    for (let e = 0; e < kept.length; e++) {
      const site = this.siteOf(kept[e]);
      const other = kept[e] % numNodes;
      const isTurned = !directed && other < site;
      sources[e] = isTurned ? other : site;
      targets[e] = isTurned ? site : other;
      signs[e] = this.hasEdge(site, other) ? -1 : 1;
    }
    return { numbers: kept, sources, targets, signs };
  }

  /** The numbers `kept`, which ascend, together with `count` fresh ones; a number that is drawn again counts once. */
  drawBeside(kept: Float64Array, count: number, rng: Rng): Float64Array {
    const drawn = this.drawNumbers(count, rng);
    const merged = new Float64Array(kept.length + drawn.length);
    let length = 0;
    for (let k = 0, d = 0; k < kept.length || d < drawn.length; ) {
      const next = Math.min(kept[k] ?? Number.POSITIVE_INFINITY, drawn[d] ?? Number.POSITIVE_INFINITY);
      if (kept[k] === next) k++;
      if (drawn[d] === next) d++;
      merged[length++] = next;
    }
    return merged.slice(0, length);
  }

  /** One number from each of `count` equal ranges, so that they ascend. */
  private drawNumbers(count: number, rng: Rng): Float64Array {
    const drawn = new Float64Array(Math.min(count, this.size));
    for (let t = 0; t < drawn.length; t++) {
      const begin = Math.floor((t * this.size) / drawn.length);
      const end = Math.floor(((t + 1) * this.size) / drawn.length);
      drawn[t] = begin + rng.integer(end - begin);
    }
    return drawn;
  }

  private siteOf(number: number): number {
    return this.sites[Math.floor(number / this.graph.numNodes)];
  }

  private isPair(number: number): boolean {
    const site = this.siteOf(number);
    const other = number % this.graph.numNodes;
    if (other === site || other === this.spared) return false;
    const isNamedTwice = !this.graph.directed && other < site && this.isSite.has(other);
    return !isNamedTwice && !(this.insertOnly && this.hasEdge(site, other));
  }

  private hasEdge(row: number, column: number): boolean {
    let known = this.neighboursOf.get(row);
    if (!known) {
      known = new Set(Array.from(this.graph.neighbours(row)));
      this.neighboursOf.set(row, known);
    }
    return known.has(column);
  }
}

function sitesOf(graph: CandidateGraph, node: number, influence: Influence): number[] {
  if (influence === "direct") return [node];
  const neighbours = Array.from(graph.neighbours(node));
  return influence === "influencer" ? neighbours : [node, ...neighbours];
}
