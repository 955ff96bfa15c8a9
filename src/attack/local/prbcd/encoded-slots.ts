import type { Features } from "../../../graph/graph.ts";
import type { Pprgo } from "../../../nn/models/pprgo.ts";
import { uploadFeatures } from "../../../nn/training/row-batch.ts";
import type { RowsOnDemand } from "../../../ppr/rows-on-demand.ts";
import { empty, keep, scope, type Tensor } from "../../../tensor/index.ts";

/** Gives features of nodes: at once, or later if the graph is on disk. */
export type FeatureSource = (nodes: Int32Array) => Features | Promise<Features>;

/** Nodes that are encoded at once. */
const BATCH = 2 ** 14;
/** Parts of a buffer begin at multiples of this. */
const ALIGNMENT = 64;
/** How much more room is made than is needed now. */
const GROWTH = 1.5;

/**
 * Encodings of the nodes that rows of PageRank name, by slot, on the device. They do not depend on edges, so each node
 * is encoded once while its slot lasts.
 */
export class EncodedSlots {
  private readonly model: Pprgo;
  private readonly features: FeatureSource;
  private encoded: Tensor | null = null;
  private filled = 0;
  private generation = -1;

  constructor(model: Pprgo, features: FeatureSource) {
    this.model = model;
    this.features = features;
  }

  /** Class scores by slot, with spare rows at the end for more slots. Valid until slots are added. */
  async of(rows: RowsOnDemand): Promise<Tensor> {
    if (rows.generation !== this.generation) this.filled = 0;
    this.generation = rows.generation;
    const starts: number[] = [];
    const first = this.filled - (this.filled % ALIGNMENT); // aligned: some are encoded again
    for (let begin = first; this.filled < rows.numSlots && begin < rows.numSlots; begin += BATCH) starts.push(begin);
    const nodesFrom = (begin: number) =>
      Int32Array.from({ length: Math.min(BATCH, rows.numSlots - begin) }, (_, t) => rows.nodeAt(begin + t));
    let coming = starts.length > 0 ? this.features(nodesFrom(starts[0])) : null;
    for (const [k, begin] of starts.entries()) {
      const features = await coming!;
      coming = k + 1 < starts.length ? this.features(nodesFrom(starts[k + 1])) : null; // read while these are encoded
      this.append(features, begin, rows.numSlots);
    }
    this.filled = rows.numSlots;
    return this.encoded!;
  }

  /** Encodes nodes into the slots from `begin` on. */
  private append(features: Features, begin: number, numSlots: number): void {
    const { backend } = this.model;
    scope(() => {
      const part = this.model.encodeNodes(uploadFeatures(backend, features));
      const classes = part.shape[1];
      const all = this.withRoom(numSlots, classes, begin);
      backend.copy(backend.view(all.buffer, begin * classes, part.size), part.buffer);
    });
  }

  /** The scores, moved to a larger buffer if there is no room. */
  private withRoom(numSlots: number, classes: number, filled: number): Tensor {
    const { encoded } = this;
    if (encoded && encoded.shape[0] >= numSlots) return encoded;
    const { backend } = this.model;
    const larger = keep(empty(backend, [Math.ceil(GROWTH * numSlots), classes]));
    const size = filled * classes;
    if (encoded && size > 0) backend.copy(backend.view(larger.buffer, 0, size), backend.view(encoded.buffer, 0, size));
    encoded?.dispose();
    this.encoded = larger;
    return larger;
  }

  dispose(): void {
    this.encoded?.dispose();
  }
}
