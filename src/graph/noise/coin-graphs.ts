import { check } from "../../core/errors.ts";
import { csrFromEntries, hasEntry } from "../csr.ts";
import { Graph } from "../graph.ts";
import { symmetrise } from "../symmetrise.ts";
import type { FlipNoise } from "./noise.ts";
import { PairCoins, TILE } from "./pair-coins.ts";

/**
 * Noisy versions of an undirected graph, by number, as a GPU draws them: the reference for the tests of its kernels.
 * They have the same distribution as those of `NoisyGraphs`, but are other graphs. Tiles are visited one after the
 * other, so large graphs take long.
 */
export class CoinGraphs {
  private readonly graph: Graph;
  private readonly coins: PairCoins;

  constructor(graph: Graph, edges: FlipNoise, seed: number) {
    check(!graph.directed, () => `${graph.name}: pairs are tossed for undirected graphs only`);
    this.graph = graph;
    this.coins = new PairCoins(seed, edges);
  }

  draw(number: number): Graph {
    const { numNodes, adjacency } = this.graph;
    const rows: number[] = [];
    const cols: number[] = [];
    const put = (i: number, j: number) => {
      rows.push(i);
      cols.push(j);
    };
    for (let i = 0; i < numNodes; i++) {
      for (let e = adjacency.rowPtr[i]; e < adjacency.rowPtr[i + 1]; e++) {
        const j = adjacency.colIdx[e];
        if (i < j && !this.coins.deletes(number, i, j)) put(i, j);
      }
    }
    for (let top = 0; top < numNodes; top += TILE) {
      for (let left = top; left < numNodes; left += TILE) {
        this.coins.additions(number, top / TILE, left / TILE, (place) => {
          const i = top + Math.floor(place / TILE);
          const j = left + (place % TILE);
          if (i < j && j < numNodes && !hasEntry(adjacency, i, j)) put(i, j); // additions at existing edges are ignored
        });
      }
    }
    return new Graph({ ...this.graph, adjacency: symmetrise(csrFromEntries(numNodes, numNodes, rows, cols)) });
  }
}
