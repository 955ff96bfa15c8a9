import type { Buffer } from "../backend/backend.ts";
import { numEntries } from "../graph/csr.ts";
import { type Graph, isSparse } from "../graph/graph.ts";
import { isNoisy, type Noise } from "../graph/noise/noise.ts";
import type { Model } from "../nn/model.ts";
import { argmaxRows, type GraphView, hostGraph, scope } from "../tensor/index.ts";
import { DrawnConstants } from "./drawn-constants.ts";
import { type EntryCount, entryCount, roomFor } from "./entry-count.ts";
import { NeedsHost } from "./needs-host.ts";
import { NoisyBatch, type NoisySource } from "./noisy-batch.ts";
import { Votes } from "./votes.ts";

/** Most nodes of all noisy graphs at once: hidden rows of 64 numbers take 128 MiB then. */
const MOST_ROWS = 2 ** 19;
/** Most entries of their matrices, and most numbers of their features. */
const MOST_ENTRIES = 2 ** 25;
/** Dense features wider than this are multiplied with weights before they are repeated for each graph, unless the graphs are diffused. */
const WIDE = 256;
/** More graphs than this at once make nothing faster. */
const MOST_GRAPHS = 256;
/** Graphs with more nodes have more tiles of pairs than a launch counts. */
const MOST_NODES = 2 ** 19;
/**
 * Batches whose votes are read together; one if graphs are diffused, which takes longer than waiting for a read. Also
 * the least number of graphs per read.
 */
const BATCHES_PER_READ = 8;
const LEAST_PER_READ = 32;

/** Noisy graphs, and what models ask for of them. */
interface Drawing {
  readonly noisy: NoisyBatch;
  readonly constants: DrawnConstants;
}

/** Counts votes on noisy graphs that a device draws itself, many at once; only the counts come back. */
export class DeviceVoters {
  /** How many noisy graphs to count at a time. */
  readonly batch: number;
  readonly models: readonly Model[];
  private readonly source: NoisySource;
  private readonly graph: Graph;
  private readonly mostGraphs: number;
  /** Room for as many graphs as were last counted at once. */
  private drawing: Drawing | null = null;

  /**
   * Voters for those models that find all that they need of noisy graphs on the device; null if there are none, or the
   * device cannot draw such graphs.
   */
  static open(models: readonly Model[], clean: GraphView, noise: Noise, seed: number): DeviceVoters | null {
    const { noisyGraphs: kernels } = clean.backend;
    const graph = hostGraph(clean, "certify");
    const isPlain = !graph.directed && !isNoisy(noise.features) && isNoisy(noise.edges) && graph.numNodes > 0;
    const entries = entryCount(graph, noise.edges);
    if (!kernels || !isPlain || graph.numNodes > MOST_NODES || roomFor(entries, 1) > MOST_ENTRIES) return null;
    const source = { clean, kernels, edges: noise.edges, seed, entries };
    let most = Number.POSITIVE_INFINITY;
    const able = models.filter((model) => {
      const one = new DeviceVoters([model], source, graph, 1, 1);
      try {
        most = Math.min(most, one.tryOut());
        return true;
      } catch (error) {
        if (error instanceof NeedsHost) return false;
        throw error;
      } finally {
        one.dispose();
      }
    });
    if (able.length === 0) return null;
    const isDiffused = Number.isFinite(most);
    const graphs = Math.min(most, graphsAtOnce(graph, entries, isDiffused));
    return new DeviceVoters(able, source, graph, graphs, isDiffused ? 1 : BATCHES_PER_READ);
  }

  private constructor(
    models: readonly Model[],
    source: NoisySource,
    graph: Graph,
    mostGraphs: number,
    batchesPerRead: number,
  ) {
    this.models = models;
    this.source = source;
    this.graph = graph;
    this.mostGraphs = mostGraphs;
    this.batch = Math.max(LEAST_PER_READ, batchesPerRead * mostGraphs);
  }

  async count(first: number, end: number): Promise<Votes[]> {
    const { backend } = this.source.clean;
    const { numNodes, numClasses } = this.graph;
    const draws = Math.max(1, Math.ceil((end - first) / this.mostGraphs));
    const graphs = Math.ceil((end - first) / draws);
    const counts = this.models.map(() => backend.upload(new Int32Array(numNodes * numClasses)));
    try {
      for (let number = first; number < end; number += graphs) {
        this.vote(number, Math.min(graphs, end - number), this.drawingOf(graphs), counts);
      }
      const reads = Promise.all(counts.map((of) => backend.read(of)));
      const [read] = await Promise.all([reads, this.drawing?.noisy.checkRoom()]);
      return read.map((of) => new Votes(numNodes, numClasses, Uint32Array.from(of), end - first));
    } finally {
      for (const buffer of counts) backend.free(buffer);
    }
  }

  dispose(): void {
    this.drawing?.constants.dispose();
    this.drawing?.noisy.dispose();
    this.drawing = null;
  }

  /**
   * Runs the models on one graph without counting votes; returns how many graphs they allow at once, given what they
   * asked for.
   */
  private tryOut(): number {
    const drawing = this.drawingOf(1);
    this.vote(0, 1, drawing, null);
    return drawing.constants.mostGraphs;
  }

  /**
   * Room for exactly so many graphs, because models run on all rows, used or not; batches of a count have about equal
   * sizes.
   */
  private drawingOf(graphs: number): Drawing {
    if (this.drawing?.noisy.graphs === graphs) return this.drawing;
    this.dispose();
    const noisy = new NoisyBatch(this.source, graphs);
    return (this.drawing = { noisy, constants: new DrawnConstants(noisy) });
  }

  /** Votes on a batch, added to the counts of each model if there are any. */
  private vote(first: number, graphs: number, { noisy, constants }: Drawing, counts: readonly Buffer[] | null): void {
    const { numNodes, numClasses } = this.graph;
    const pass = { constants, dropout: null };
    noisy.draw(first, graphs);
    constants.forgetEdges();
    constants.during(() =>
      scope(() => {
        for (const [m, model] of this.models.entries()) {
          const classes = argmaxRows(model.forward(noisy.view, pass));
          if (counts) this.source.kernels.addVotes(counts[m], classes.buffer, { graphs, numNodes, numClasses });
        }
      }),
    );
  }
}

function graphsAtOnce({ numNodes, features }: Graph, { mean }: EntryCount, isDiffused: boolean): number {
  const byRows = MOST_ROWS / numNodes;
  const byEntries = MOST_ENTRIES / mean;
  const stored = isSparse(features) ? numEntries(features) : features.data.length;
  const isProductRepeated = !isSparse(features) && features.numCols > WIDE && !isDiffused;
  const byFeatures = isProductRepeated ? byRows : MOST_ENTRIES / Math.max(stored, 1);
  return Math.max(1, Math.floor(Math.min(MOST_GRAPHS, byRows, byEntries, byFeatures)));
}
