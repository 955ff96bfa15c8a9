import type { Backend } from "../../backend/backend.ts";
import { check } from "../../core/errors.ts";
import { checkOptions, defaultsOf, describeOptions, type OptionsOf, withDefaults } from "../../core/options/index.ts";
import type { Rng } from "../../core/rng.ts";
import type { Csr } from "../../graph/csr.ts";
import type { Graph } from "../../graph/graph.ts";
import type { GraphRows } from "../../graph/graph-rows.ts";
import { type PushRowsOptions, pushRows, pushRowsOf } from "../../ppr/push-rows.ts";
import { allPushedRows } from "../../ppr/pushed-rows.ts";
import {
  Constants,
  type DeviceFeatures,
  dropout,
  empty,
  type GraphView,
  gatherRows,
  hostGraph,
  matmul,
  relu,
  SparseMatrix,
  scope,
  spmm,
  type Tensor,
} from "../../tensor/index.ts";
import { BatchNorm } from "../layers/batch-norm.ts";
import { featureProduct } from "../layers/feature-product.ts";
import { fanInUniform } from "../layers/init.ts";
import type { Differentiable, Model, Pass } from "../model.ts";
import { type RowBatch, rowBatch } from "../training/row-batch.ts";
import {
  alphaOption,
  batchNormOption,
  dropoutOption,
  hiddenOption,
  neighboursOption,
  toleranceOption,
} from "./options.ts";

export const pprgoOptions = withDefaults(
  describeOptions({
    hidden: hiddenOption,
    dropout: dropoutOption,
    batchNorm: batchNormOption,
    alpha: alphaOption,
    epsilon: toleranceOption,
    k: neighboursOption,
  }),
  { dropout: 0.1, alpha: 0.1, epsilon: 1e-3 },
);

/** Hyperparameters of {@link Pprgo}; `rgnn train --model pprgo --set list` explains each. */
export type PprgoConfig = OptionsOf<typeof pprgoOptions>;

/** Defaults of {@link PprgoConfig}. Replace some of them with `{ ...pprgoDefaults, … }`. */
export const pprgoDefaults: PprgoConfig = defaultsOf(pprgoOptions);

/** What distinguishes the variants of PPRGo: how a node mixes the encoder's output for its neighbours. */
export interface PprgoStack {
  readonly name: string;
  /** True if mixing neighbours is linear, so that it may be swapped with a product by weights. */
  readonly isLinear: boolean;
  /** Mixes one encoded row per neighbour with the weights of the neighbours. */
  readonly aggregate: (neighbours: SparseMatrix, encoded: Tensor) => Tensor;
}

/** Nodes whose rows are pushed and evaluated together. */
const BATCH = 128;

const vanilla: PprgoStack = { name: "pprgo", isLinear: true, aggregate: spmm };

/**
 * PPRGo (Bojchevski et al. 2020): `z_v = Σ_u Π_vu f(x_u)` with rows of PageRank by push, used as they are, and an encoder
 * f without biases. Training and inference need the rows of the nodes at hand only, so it scales to graphs of any size.
 */
export class Pprgo implements Model {
  readonly name: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly parameters: ReadonlyMap<string, Tensor>;
  readonly statistics: ReadonlyMap<string, Tensor>;
  readonly differentiable: Differentiable = { edges: false };
  readonly backend: Backend;
  private readonly weights: readonly Tensor[];
  private readonly norms: readonly BatchNorm[];
  private readonly options: PprgoConfig;
  private readonly stack: PprgoStack;

  constructor(
    backend: Backend,
    sizes: { features: number; classes: number },
    options: PprgoConfig,
    rng: Rng,
    stack: PprgoStack = vanilla,
  ) {
    checkOptions(stack.name, pprgoOptions, options);
    this.name = stack.name;
    this.stack = stack;
    this.backend = backend;
    this.config = { ...options };
    this.options = options;
    const widths = [sizes.features, ...options.hidden, sizes.classes];
    this.weights = widths.slice(1).map((width, l) => fanInUniform(backend, [widths[l], width], widths[l], rng));
    this.norms = options.batchNorm ? options.hidden.map((width) => new BatchNorm(backend, width)) : [];
    this.parameters = new Map([
      ...this.weights.map((weight, l) => [`layers.${l}.weight`, weight] as const),
      ...this.norms.flatMap((norm, l) =>
        Object.entries(norm.named()).map(([name, t]) => [`norms.${l}.${name}`, t] as const),
      ),
    ]);
    this.statistics = new Map(this.norms.flatMap((norm, l) => norm.statistics(`norms.${l}`)));
  }

  /** The options with which its rows of PageRank are pushed. */
  get pageRank(): PushRowsOptions {
    const { alpha, epsilon, k } = this.options;
    return { alpha, epsilon, k };
  }

  /** Rows of PageRank for some nodes. @internal */
  rowsFor({ adjacency }: Graph, nodes: ArrayLike<number>): Csr {
    return pushRows(adjacency, nodes, this.options, this.backend);
  }

  /** Logits of all nodes of a graph: every node is encoded once. */
  forward(view: GraphView, pass: Pass): Tensor {
    check(
      !view.overlay,
      () => `${this.name} cannot be differentiated by edges; attack a surrogate such as gcn and transfer`,
    );
    const { backend } = view;
    const rows = pass.constants.of(view, "PageRank rows", () =>
      SparseMatrix.upload(backend, allPushedRows(hostGraph(view, this.name).adjacency, this.options, backend)),
    );
    return this.stack.aggregate(rows, this.encode(featureProduct(view.features, this.weights[0]), pass));
  }

  /**
   * Logits of some nodes of a graph that may be larger than memory: [nodes.length, classes], a row for each in that order.
   * Only the rows that push visits are read, and only the features of the neighbours it keeps.
   *
   * @example
   * const graph = openStore("papers100M.store");
   * const logits = await model.logitsOf(graph, [17, 42]).read();
   */
  logitsOf(graph: GraphRows, nodes: ArrayLike<number>): Tensor {
    const classes = this.weights.at(-1)!.shape[1];
    const logits = empty(this.backend, [nodes.length, classes]);
    const pass: Pass = { constants: new Constants(), dropout: null };
    for (let begin = 0; begin < nodes.length; begin += BATCH) {
      const batch = Array.prototype.slice.call(nodes, begin, begin + BATCH) as number[];
      const rows = pushRowsOf(graph, graph.numNodes, batch, this.options);
      scope(() => {
        const part = this.forwardRows(
          rowBatch(this.backend, (asked) => graph.features(asked), rows, "node"),
          pass,
        );
        this.backend.copy(this.backend.view(logits.buffer, begin * classes, part.size), part.buffer);
      });
    }
    return logits;
  }

  /**
   * True if training draws a separate dropout mask for each (row, neighbour): if the mixing is a weighted sum.
   * @internal
   */
  get encodesPairs(): boolean {
    return this.stack.isLinear;
  }

  /** Logits of the nodes of a batch. If mixing is linear, the last layer comes after it: fewer rows. @internal */
  forwardRows({ features, neighbours, index }: RowBatch, pass: Pass): Tensor {
    const first = featureProduct(features, this.weights[0]);
    const perPair = index ? gatherRows(first, index) : first;
    const hidden = this.hidden(perPair, pass);
    const { isLinear, aggregate } = this.stack;
    return isLinear ? this.last(aggregate(neighbours, hidden)) : aggregate(neighbours, this.last(hidden));
  }

  /** The encoder's class scores for nodes with these features, one row per node. @internal */
  encodeNodes(features: DeviceFeatures): Tensor {
    return this.encode(featureProduct(features, this.weights[0]), { constants: new Constants(), dropout: null });
  }

  /** Logits from weighted neighbours and the encoder's class scores for each. @internal */
  mix(neighbours: SparseMatrix, encoded: Tensor): Tensor {
    return this.stack.aggregate(neighbours, encoded);
  }

  /** Class scores, given the product of features and first weights. */
  private encode(first: Tensor, pass: Pass): Tensor {
    return this.last(this.hidden(first, pass));
  }

  /** Everything between the first and the last product. */
  private hidden(first: Tensor, pass: Pass): Tensor {
    let H = first;
    for (const l of this.options.hidden.keys()) {
      const product = l === 0 ? H : matmul(H, this.weights[l]);
      const normed = this.norms[l]?.forward(product, pass) ?? product;
      const active = relu(normed);
      H = pass.dropout ? dropout(active, this.options.dropout, pass.dropout.nextKey()) : active;
    }
    return H;
  }

  private last(H: Tensor): Tensor {
    return this.options.hidden.length === 0 ? H : matmul(H, this.weights.at(-1)!);
  }

  dispose(): void {
    for (const tensor of [...this.parameters.values(), ...this.statistics.values()]) tensor.dispose();
  }
}
