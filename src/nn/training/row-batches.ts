import type { Backend } from "../../backend/backend.ts";
import type { Rng } from "../../core/rng.ts";
import { IntTensor, keep } from "../../tensor/index.ts";
import type { LabelledRows, RowsToLearn } from "./labelled-rows.ts";
import { type RowBatch, rowBatch } from "./row-batch.ts";

/** Rows on a device with the classes they should get. */
export interface LabelledBatch {
  readonly rows: RowBatch;
  readonly labels: IntTensor;
}

/** Where batches come from, and how they are made. */
export interface BatchesFrom {
  readonly rows: LabelledRows;
  readonly features: RowsToLearn["features"];
  /** Whether a neighbour that several rows name is encoded once or once per row. */
  readonly per: "node" | "pair";
  readonly size: number;
}

/** Batches of some nodes. A batch of all nodes is prepared only once: the order in a batch does not matter. */
export class RowBatches {
  private readonly backend: Backend;
  private readonly from: BatchesFrom;
  private readonly whole: LabelledBatch | null;
  private readonly positions: Int32Array;

  constructor(backend: Backend, from: BatchesFrom) {
    this.backend = backend;
    this.from = from;
    const numRows = from.rows.labels.length;
    this.positions = Int32Array.from({ length: numRows }, (_, t) => t);
    const whole = from.size >= numRows ? this.prepare(this.positions) : null;
    if (whole) for (const item of [whole.rows, whole.labels]) keep(item);
    this.whole = whole;
  }

  get perEpoch(): number {
    return Math.ceil(this.positions.length / this.from.size);
  }

  /** All positions in random order, cut into batches; the last one may be smaller. */
  *epoch(rng: Rng): Generator<Int32Array> {
    const { size } = this.from;
    const order = this.shuffled(rng);
    for (let begin = 0; begin < order.length; begin += size) yield order.subarray(begin, begin + size);
  }

  /** One random batch. */
  draw(rng: Rng): Int32Array {
    return this.shuffled(rng).subarray(0, this.from.size);
  }

  batch(positions: Int32Array): LabelledBatch {
    return this.whole ?? this.prepare(positions);
  }

  dispose(): void {
    this.whole?.rows.dispose();
    this.whole?.labels.dispose();
  }

  private prepare(positions: Int32Array): LabelledBatch {
    const { rows, features, per } = this.from;
    return {
      rows: rowBatch(this.backend, features, rows.select(positions), per),
      labels: IntTensor.from(
        this.backend,
        positions.map((t) => rows.labels[t]),
      ),
    };
  }

  private shuffled(rng: Rng): Int32Array {
    return this.whole ? this.positions : rng.shuffle(this.positions.slice());
  }
}
