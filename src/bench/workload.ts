import type { Backend, Buffer } from "../backend/backend.ts";
import { Rng } from "../core/rng.ts";
import { entryRows, type HostMatrix, skewedMatrix } from "./skewed-matrix.ts";

export interface BenchShape {
  readonly name: string;
  readonly numNodes: number;
  readonly entries: number;
  readonly cols: number;
  /** Candidate pairs of the kernels that work on blocks. */
  readonly block: number;
}

/** ogbn-arxiv with a hidden width of 256, and Cora ML with 64. */
export const BENCH_SHAPES: readonly BenchShape[] = [
  { name: "arxiv", numNodes: 169_343, entries: 2_332_486, cols: 256, block: 10_000_000 },
  { name: "cora", numNodes: 2_810, entries: 15_962, cols: 64, block: 1_000_000 },
];

/** The inputs that the kernels of one shape share, on the host, where results are checked. */
export class Inputs {
  readonly shape: BenchShape;
  readonly matrix: HostMatrix;
  readonly sources: Int32Array;
  readonly X: Float32Array;
  readonly W: Float32Array;
  readonly values: Float32Array;

  constructor(shape: BenchShape) {
    this.shape = shape;
    this.matrix = skewedMatrix(shape.numNodes, shape.entries, 1);
    this.sources = entryRows(this.matrix);
    this.X = uniform(shape.numNodes * shape.cols, 2);
    this.W = uniform(shape.cols * shape.cols, 3);
    this.values = uniform(this.sources.length, 4);
  }
}

/** The inputs on a backend. */
export class Workload {
  readonly inputs: Inputs;
  readonly shape: BenchShape;
  readonly backend: Backend;
  readonly on: Readonly<Record<"X" | "Y" | "W" | "values" | "rowPtr" | "colIdx" | "sources", Buffer>>;

  constructor(inputs: Inputs, backend: Backend) {
    this.inputs = inputs;
    this.shape = inputs.shape;
    this.backend = backend;
    this.on = {
      X: backend.upload(inputs.X),
      Y: backend.alloc("f32", inputs.X.length),
      W: backend.upload(inputs.W),
      values: backend.upload(inputs.values),
      rowPtr: backend.upload(inputs.matrix.rowPtr),
      colIdx: backend.upload(inputs.matrix.colIdx),
      sources: backend.upload(inputs.sources),
    };
  }
}

/** Values in [−½, ½). */
export function uniform(length: number, seed: number): Float32Array {
  const rng = new Rng(seed);
  return Float32Array.from({ length }, () => rng.next32() / 2 ** 32 - 0.5);
}
