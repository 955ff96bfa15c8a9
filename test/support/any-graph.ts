import fc from "fast-check";
import { Rng } from "../../src/core/rng.ts";
import { csrFromEntries } from "../../src/graph/csr.ts";
import { Graph } from "../../src/graph/graph.ts";
import { symmetrise } from "../../src/graph/symmetrise.ts";

export interface RandomGraphOptions {
  readonly directed?: boolean;
  readonly numFeatures?: number;
  readonly numClasses?: number;
  /** Compressed rows of features instead of dense ones. */
  readonly sparse?: boolean;
}

/** A graph in which each pair is an edge with probability `p`; the same seed gives the same graph. Small n only. */
export function randomGraph(n: number, p: number, seed: number, options: RandomGraphOptions = {}): Graph {
  const { directed = false, numFeatures = 3, numClasses = 3, sparse = false } = options;
  const rng = new Rng(seed);
  const [rows, cols]: [number[], number[]] = [[], []];
  for (let i = 0; i < n; i++) {
    for (let j = directed ? 0 : i + 1; j < n; j++) {
      if (i === j || rng.uniform() >= p) continue;
      rows.push(i);
      cols.push(j);
    }
  }
  const drawn = csrFromEntries(n, n, rows, cols);
  return new Graph({
    name: "random",
    adjacency: directed ? drawn : symmetrise(drawn),
    features: sparse ? sparseFeatures(n, numFeatures, rng) : denseFeatures(n, numFeatures, rng),
    labels: Int32Array.from({ length: n }, () => rng.integer(numClasses)),
    numClasses,
    directed,
  });
}

/** Graphs of 1 to 12 nodes of every density, directed or not, with dense or sparse features. */
export const anyGraph: fc.Arbitrary<Graph> = fc
  .record({
    n: fc.integer({ min: 1, max: 12 }),
    p: fc.constantFrom(0, 0.1, 0.3, 0.6, 1),
    seed: fc.nat(1e6),
    directed: fc.boolean(),
    sparse: fc.boolean(),
  })
  .map(({ n, p, seed, directed, sparse }) => randomGraph(n, p, seed, { directed, sparse }));

/** Entries of a matrix as "row,column" texts, to compare two matrices as sets. */
export function entryNames({ numRows, rowPtr, colIdx }: Graph["adjacency"]): string[] {
  const names: string[] = [];
  for (let i = 0; i < numRows; i++) {
    for (let e = rowPtr[i]; e < rowPtr[i + 1]; e++) names.push(`${i},${colIdx[e]}`);
  }
  return names;
}

function denseFeatures(n: number, d: number, rng: Rng) {
  return { numRows: n, numCols: d, data: Float32Array.from({ length: n * d }, () => rng.normal()) };
}

function sparseFeatures(n: number, d: number, rng: Rng) {
  const cells = Array.from({ length: n * d }, (_, cell) => cell).filter(() => rng.uniform() < 0.5);
  const values = cells.map(() => rng.normal());
  return csrFromEntries(
    n,
    d,
    cells.map((cell) => Math.floor(cell / d)),
    cells.map((cell) => cell % d),
    values,
  );
}
