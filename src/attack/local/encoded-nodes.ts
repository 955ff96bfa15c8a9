import type { Features } from "../../graph/graph.ts";
import type { Pprgo } from "../../nn/models/pprgo.ts";
import { uploadFeatures } from "../../nn/training/row-batch.ts";
import { scope } from "../../tensor/index.ts";

/** Nodes that are encoded at once. */
const BATCH = 2 ** 14;

/** Floats that are kept for later; encodings in use are kept even if they are more. */
const MOST_FLOATS = 2 ** 26;

/**
 * Encodings of nodes by PPRGo, computed when a node is first asked for and kept on the host: they do not depend on
 * edges. Memory grows with the nodes that are asked for, not with the graph.
 */
export class EncodedNodes {
  private readonly model: Pprgo;
  private readonly features: (nodes: Int32Array) => Features;
  private readonly rows = new Map<number, Float32Array | Float64Array>();

  constructor(model: Pprgo, features: (nodes: Int32Array) => Features) {
    this.model = model;
    this.features = features;
  }

  /** Class scores of these nodes, one row each in this order. */
  async of(nodes: readonly number[]): Promise<{ readonly values: Float64Array; readonly classes: number }> {
    await this.encodeMissing(nodes);
    const classes = this.rows.get(nodes[0])?.length ?? 0;
    const values = new Float64Array(nodes.length * classes);
    for (const [t, node] of nodes.entries()) values.set(this.rows.get(node)!, t * classes);
    return { values, classes };
  }

  private async encodeMissing(nodes: readonly number[]): Promise<void> {
    const isMissing = (node: number) => !this.rows.has(node);
    const width = this.rows.values().next().value?.length ?? 0;
    if (this.rows.size * width > MOST_FLOATS && nodes.some(isMissing)) this.rows.clear();
    const missing = nodes.filter(isMissing);
    for (let begin = 0; begin < missing.length; begin += BATCH) await this.encode(missing.slice(begin, begin + BATCH));
  }

  private async encode(nodes: readonly number[]): Promise<void> {
    const { model } = this;
    const encoded = scope(() =>
      model.encodeNodes(uploadFeatures(model.backend, this.features(Int32Array.from(nodes)))),
    );
    const classes = encoded.shape[1];
    const values = await encoded.read().finally(() => encoded.dispose());
    for (const [t, node] of nodes.entries()) this.rows.set(node, values.slice(t * classes, (t + 1) * classes));
  }
}
