import type { Backend } from "../../backend/backend.ts";
import { check } from "../../core/errors.ts";
import {
  checkOptions,
  defaultsOf,
  describeOptions,
  type OptionsOf,
  realNumber,
  wholeNumber,
  withDefaults,
} from "../../core/options/index.ts";
import type { Rng } from "../../core/rng.ts";
import type { Csr } from "../../graph/csr.ts";
import type { Features, Graph } from "../../graph/graph.ts";
import { selectRows } from "../../graph/select-rows.ts";
import {
  add,
  affine,
  Constants,
  type GraphView,
  hostGraph,
  IntTensor,
  keep,
  scope,
  type Tensor,
  valueAndGrad,
} from "../../tensor/index.ts";
import type { Pprgo } from "../models/pprgo.ts";
import { rowCrossEntropy } from "./cross-entropy.ts";
import { type RowBatch, rowBatch } from "./row-batch.ts";
import { type Epoch, type History, runEpochs, type TrainTask, trainOptions, type Watch } from "./train.ts";

export const pprgoTrainOptions = describeOptions({
  ...withDefaults(trainOptions, { learningRate: 1e-3 }),
  batchSize: wholeNumber({ from: 1, default: 512, help: "training nodes per step" }),
  valBatches: realNumber({
    above: 0,
    default: 4,
    help: "validation nodes after each step, as a multiple of the batch size",
  }),
});

/** Hyperparameters of {@link trainPprgo}; `rgnn train --model pprgo --set list` explains each. */
export type PprgoTrainConfig = OptionsOf<typeof pprgoTrainOptions>;

/** Defaults of {@link PprgoTrainConfig}. */
export const pprgoTrainDefaults: PprgoTrainConfig = defaultsOf(pprgoTrainOptions);

/**
 * Trains `model` in place on mini-batches and leaves it with the weights of the best epoch.
 *
 * Rows of PageRank for training and validation nodes are computed once. An epoch visits the training nodes in random
 * order; after each step a random validation batch is evaluated without dropout, and their mean decides on stopping.
 */
export async function trainPprgo(
  model: Pprgo,
  view: GraphView,
  task: TrainTask,
  config: PprgoTrainConfig,
  watch: Watch = {},
): Promise<History> {
  const { batchSize, valBatches } = config;
  checkOptions("training", pprgoTrainOptions, config);
  const { backend } = view;
  const graph = hostGraph(view, "pprgo");
  const source = (nodes: ArrayLike<number>, per: "node" | "pair", size: number) =>
    new BatchSource(backend, graph, { nodes, rows: model.rowsFor(graph, nodes), per, size: Math.ceil(size) });
  const training = source(task.train, model.encodesPairs ? "pair" : "node", batchSize);
  const validation = source(task.val, "node", batchSize * valBatches);
  const parameters = [...model.parameters.values()];
  const constants = new Constants();
  const loss = ({ rows, labels }: Batch, dropout: Rng | null) =>
    rowCrossEntropy(model.forwardRows(rows, { constants, dropout }), labels);

  const step = (positions: Int32Array, update: Parameters<Epoch>[0]) =>
    scope(() => {
      const { value, grads } = valueAndGrad(() => [loss(training.batch(positions), task.rng)], parameters);
      update(grads);
      return { trainLoss: value, valLoss: loss(validation.batch(validation.draw(task.rng)), null) };
    });
  const epoch: Epoch = (update) =>
    scope(() => {
      const losses = [...training.epoch(task.rng)].map((positions) => step(positions, update));
      return {
        trainLoss: meanOf(losses.map(({ trainLoss }) => trainLoss)),
        valLoss: meanOf(losses.map(({ valLoss }) => valLoss)),
      };
    });
  try {
    return await runEpochs(model, epoch, config, watch);
  } finally {
    training.dispose();
    validation.dispose();
  }
}

interface Batch {
  readonly rows: RowBatch;
  readonly labels: IntTensor;
}

interface Batches {
  readonly nodes: ArrayLike<number>;
  /** A row of PageRank for each of them. */
  readonly rows: Csr;
  /** Whether neighbours that several rows name are encoded once or for each of them. */
  readonly per: "node" | "pair";
  readonly size: number;
}

/** Batches of some nodes. One that holds all of them is prepared once: the order inside a batch does not matter. */
class BatchSource {
  private readonly backend: Backend;
  private readonly features: Features;
  private readonly rows: Csr;
  private readonly labels: Int32Array;
  private readonly per: "node" | "pair";
  private readonly size: number;
  private readonly whole: Batch | null;

  constructor(backend: Backend, graph: Graph, { nodes, rows, per, size }: Batches) {
    this.backend = backend;
    this.features = graph.features;
    this.rows = rows;
    this.labels = Int32Array.from(nodes, (node) => {
      check(graph.labels[node] >= 0, () => `node ${node} has no label; choose labelled nodes`);
      return graph.labels[node];
    });
    this.per = per;
    this.size = size;
    const whole = size >= rows.numRows ? this.prepare(rows, this.labels) : null;
    if (whole) for (const item of [whole.rows, whole.labels]) keep(item);
    this.whole = whole;
  }

  /** All positions in random order, cut into batches; the last one may be smaller. */
  *epoch(rng: Rng): Generator<Int32Array> {
    const order = this.shuffled(rng);
    for (let begin = 0; begin < order.length; begin += this.size) yield order.subarray(begin, begin + this.size);
  }

  /** One random batch. */
  draw(rng: Rng): Int32Array {
    return this.shuffled(rng).subarray(0, this.size);
  }

  batch(positions: Int32Array): Batch {
    if (this.whole) return this.whole;
    return this.prepare(
      selectRows(this.rows, positions) as Csr,
      positions.map((t) => this.labels[t]),
    );
  }

  private prepare(rows: Csr, labels: Int32Array): Batch {
    return {
      rows: rowBatch(this.backend, (nodes) => selectRows(this.features, nodes), rows, this.per),
      labels: IntTensor.from(this.backend, labels),
    };
  }

  private shuffled(rng: Rng): Int32Array {
    const order = Int32Array.from(this.labels.keys());
    return this.whole ? order : rng.shuffle(order);
  }

  dispose(): void {
    this.whole?.rows.dispose();
    this.whole?.labels.dispose();
  }
}

function meanOf(values: readonly Tensor[]): Tensor {
  const sum = values.reduce((sum, value) => add(sum, value));
  return values.length === 1 ? sum : affine(sum, 1 / values.length);
}
