import type { Backend, Buffer, CleanEdges, CoinBuffers, NoisyGraphKernels } from "../backend/backend.ts";
import { DeviceError } from "../core/errors.ts";
import type { Csr } from "../graph/csr.ts";
import type { FlipNoise } from "../graph/noise/noise.ts";
import { PairCoins } from "../graph/noise/pair-coins.ts";
import type { Normalisation } from "../graph/normalise.ts";
import {
  type DeviceFeatures,
  empty,
  type GraphView,
  hostGraph,
  IntTensor,
  keep,
  SparseMatrix,
  type Tensor,
} from "../tensor/index.ts";
import type { DeviceDiffusion } from "./device-diffusion.ts";
import type { DrawnGraphs } from "./drawn-graphs.ts";
import { type EntryCount, roomFor } from "./entry-count.ts";
import { NeedsHost } from "./needs-host.ts";
import { repeatRows, repeatSparseRows } from "./repeated-rows.ts";
import { roomOnly } from "./room-only.ts";

/** What noisy graphs are drawn from. */
export interface NoisySource {
  readonly clean: GraphView;
  readonly kernels: NoisyGraphKernels;
  readonly edges: FlipNoise;
  readonly seed: number;
  /** Entries of one noisy graph, self loops included. */
  readonly entries: EntryCount;
}

/**
 * Noisy versions of a graph that were drawn on the device, as one graph in which each has a block of rows and columns. Its matrices have a
 * fixed amount of room and are overwritten by the next draw, so that the host neither waits nor allocates.
 */
export class NoisyBatch implements DrawnGraphs {
  /** Most noisy graphs at once. */
  readonly graphs: number;
  /** Nodes of each graph. */
  readonly numNodes: number;
  readonly backend: Backend;
  readonly kernels: NoisyGraphKernels;
  /**
   * All graphs as models see them. It has no adjacency: models get what they need of the edges from the constants of
   * their pass.
   */
  readonly view: GraphView;
  private readonly clean: CleanEdges;
  private readonly coins: CoinBuffers;
  private readonly loops: SparseMatrix;
  /** For each row, the node of the clean graph that it is about. */
  private readonly places: IntTensor;
  /** Most entries that a draw had. */
  private readonly most: Buffer;
  /** How many graphs the last draw had. */
  private drawn = 0;
  private readonly owned: (() => void)[] = [];

  constructor({ clean, kernels, edges, seed, entries }: NoisySource, graphs: number) {
    const { backend } = clean;
    const graph = hostGraph(clean, "certify");
    this.graphs = graphs;
    this.numNodes = graph.numNodes;
    this.backend = backend;
    this.kernels = kernels;
    const { key, limits, vanish } = new PairCoins(seed, edges);
    this.coins = { key, limits: this.upload(new Int32Array(limits.buffer)), vanish };
    const { sources, targets } = upperEdges(graph.adjacency);
    this.clean = { A: clean.adjacency.buffers, sources: this.upload(sources), targets: this.upload(targets) };
    this.most = this.upload(new Int32Array(1));
    const numNodes = graphs * graph.numNodes;
    this.loops = keep(SparseMatrix.upload(backend, roomOnly(numNodes, roomFor(entries, graphs))));
    this.owned.push(() => this.loops.dispose());
    this.places = keep(
      IntTensor.from(
        backend,
        new Int32Array(numNodes).map((_, row) => row % graph.numNodes),
      ),
    );
    this.owned.push(() => this.places.dispose());
    this.view = viewOf(clean, numNodes, this.featuresOf(clean));
  }

  /** Draws the graphs `first` … `first + count − 1`. */
  draw(first: number, count: number): void {
    const { clean, coins, most } = this;
    this.drawn = count;
    this.kernels.drawNoisyGraphs({ to: this.loops.buffers, most, clean, coins, first, graphs: count });
  }

  /** The rows of X, repeated for each graph. */
  repeat(X: Tensor): Tensor {
    return repeatRows(X, this.graphs, this.places);
  }

  /**
   * A + I. Computes the row of each entry here rather than in each draw, because not every model asks for this matrix.
   */
  withLoops(): SparseMatrix {
    this.kernels.entryRows(this.loops.entries.sources, this.loops.buffers);
    return this.loops;
  }

  /** The diffusion of A + I. */
  diffused(diffusion: DeviceDiffusion): SparseMatrix {
    return diffusion.of(this.loops.buffers, this.drawn);
  }

  normalised(normalisation: Normalisation): SparseMatrix {
    const values = empty(this.backend, [this.loops.numEntries]);
    this.kernels.normaliseEntries(values.buffer, this.loops.buffers, normalisation);
    return this.loops.withValues(values);
  }

  /** Throws if a draw had more entries than there is room for, which happens by chance once in 10^15 draws. */
  async checkRoom(): Promise<void> {
    const [most] = await this.backend.read(this.most);
    if (most <= this.loops.numEntries) return;
    throw new DeviceError(
      `certify: noisy graphs had ${most} entries, and there was room for ${this.loops.numEntries}; choose another --noise-seed`,
    );
  }

  dispose(): void {
    for (const free of this.owned) free();
  }

  /** The features of all graphs; sparse ones are repeated when they are first asked for. */
  private featuresOf({ backend, features, host }: GraphView): () => DeviceFeatures {
    if (this.graphs === 1) return () => features;
    if (!(features instanceof SparseMatrix)) return () => this.repeat(features);
    let repeated: SparseMatrix | null = null;
    this.owned.push(() => repeated?.dispose());
    const upload = () => SparseMatrix.upload(backend, repeatSparseRows(host!.features as Csr, this.graphs));
    return () => (repeated ??= keep(upload()));
  }

  private upload(data: Int32Array): Buffer {
    const buffer = this.backend.upload(data);
    this.owned.push(() => this.backend.free(buffer));
    return buffer;
  }
}

function viewOf({ backend, directed }: GraphView, numNodes: number, features: () => DeviceFeatures): GraphView {
  return {
    backend,
    numNodes,
    directed,
    labels: new Int32Array(numNodes).fill(-1),
    overlay: null,
    get features() {
      return features();
    },
    get adjacency(): never {
      throw new NeedsHost("the adjacency of noisy graphs is on the device only");
    },
    get host(): never {
      throw new NeedsHost("noisy graphs are on the device only");
    },
  };
}

function upperEdges({ numRows, rowPtr, colIdx }: Csr): { sources: Int32Array; targets: Int32Array } {
  const sources = new Int32Array(colIdx.length / 2);
  const targets = new Int32Array(colIdx.length / 2);
  let size = 0;
  for (let i = 0; i < numRows; i++) {
    for (let e = rowPtr[i]; e < rowPtr[i + 1]; e++) {
      if (colIdx[e] < i) continue;
      sources[size] = i;
      targets[size] = colIdx[e];
      size++;
    }
  }
  return { sources, targets };
}
