import { check, Interrupted } from "../../core/errors.ts";
import type { GraphStore } from "../../files/store/open-store.ts";
import { PushPool } from "../../files/store/push-pool.ts";
import type { Csr } from "../../graph/csr.ts";
import type { DenseMatrix } from "../../graph/graph.ts";
import type { Pprgo } from "../../nn/models/pprgo.ts";
import { type NodePredictions, readPredictions } from "../../nn/training/predict-nodes.ts";
import { distinctColumns, rowBatch } from "../../nn/training/row-batch.ts";
import { Constants } from "../../tensor/index.ts";
import type { RunWatch } from "../trained-model.ts";

/** Nodes that are classified at once: memory grows with their number times their neighbours. */
const BATCH = 256;
/** Batches that are pushed ahead. */
const AHEAD = 3;
/** More predictions than this do not fit into a report. */
const MOST = 2 ** 24;

/**
 * Predictions of PPRGo for nodes of a store. While the model works on one batch, threads push the rows of the next ones
 * and fetch the features that these need: reading features from disk takes longer than all the rest.
 */
export async function predictRows(
  store: GraphStore,
  model: Pprgo,
  nodes: Int32Array,
  threads: number,
  watch: RunWatch = {},
): Promise<NodePredictions> {
  check(nodes.length <= MOST, () => `${store.folder}: ${nodes.length} nodes are too many at once; at most ${MOST}`);
  const pool = PushPool.open(store, threads);
  const underWay: Promise<FetchedRows>[] = [];
  let asked = 0;
  const askNext = () => {
    if (asked >= nodes.length) return;
    const fetched = fetch(pool, nodes.subarray(asked, asked + BATCH), model);
    fetched.catch(() => {}); // whoever awaits it gets the error
    underWay.push(fetched);
    asked += BATCH;
  };
  const parts: NodePredictions[] = [];
  try {
    for (let t = 0; t < AHEAD; t++) askNext();
    let done = 0;
    for (let next = underWay.shift(); next !== undefined; next = underWay.shift()) {
      const fetched = await next;
      askNext();
      parts.push(await predictBatch(store, model, nodes.subarray(done, done + BATCH), fetched));
      done += fetched.rows.numRows;
      watch.progress?.update(done, nodes.length, "classifying nodes");
      if (watch.signal?.aborted && done < nodes.length)
        throw new Interrupted(`interrupted after ${done} of ${nodes.length} nodes; there is no result`);
    }
  } finally {
    await pool.close();
  }
  return stacked(nodes, parts);
}

/** Rows of PageRank, with the features of the nodes in them. */
interface FetchedRows {
  readonly rows: Csr;
  readonly features: DenseMatrix;
}

async function fetch(pool: PushPool, nodes: Int32Array, { pageRank }: Pprgo): Promise<FetchedRows> {
  const rows = await pool.push(nodes, pageRank);
  return { rows, features: await pool.features(distinctColumns(rows)) };
}

function predictBatch(
  store: GraphStore,
  model: Pprgo,
  nodes: Int32Array,
  { rows, features }: FetchedRows,
): Promise<NodePredictions> {
  const { backend } = model;
  return readPredictions(backend, nodes, store.labels(nodes), () =>
    model.forwardRows(
      rowBatch(backend, () => features, rows, "node"),
      { constants: new Constants(), dropout: null },
    ),
  );
}

function stacked(nodes: Int32Array, parts: readonly NodePredictions[]): NodePredictions {
  const predictions = new Int32Array(nodes.length);
  const confidences = new Float32Array(nodes.length);
  const margins = new Float32Array(nodes.length);
  let at = 0;
  for (const part of parts) {
    predictions.set(part.predictions, at);
    confidences.set(part.confidences, at);
    margins.set(part.margins, at);
    at += part.nodes.length;
  }
  return { nodes, predictions, confidences, margins };
}
