import type { Backend } from "../backend/backend.ts";
import { Rng } from "../core/rng.ts";
import { softMedian } from "../defense/soft-median.ts";
import type { Csr } from "../graph/csr.ts";
import { shapeNamed } from "../graph/shapes.ts";
import { SparseMatrix, spmm, sum, type Tensor, tensor, valueAndGrad } from "../tensor/index.ts";
import { type AggregationTimes, aggregationTimes } from "./aggregation-times.ts";
import { timeRounds } from "./rounds.ts";
import { differs, failIf, onReference } from "./sample.ts";

const NEIGHBOURS = 64;
const COLS = 64;
const TEMPERATURE = 0.2;
const CHECKED_ROWS = 20;
/** A round takes seconds on a few cores, and milliseconds on a GPU, whose driver compiles kernels anew when they have been in use. */
const ROUNDS = { warmUpMs: 1500, atLeast: 7, enoughMs: 3000 };

export interface AggregationResult extends AggregationTimes {
  readonly shape: string;
  /** Most memory beyond matrix and features, and what k floats per row take. */
  readonly extraBytes: number;
  readonly entryBytes: number;
}

/** What Soft Median costs on the arxiv shape with 64 neighbours a row. */
export async function aggregationCost(backend: Backend): Promise<AggregationResult> {
  const { numNodes } = shapeNamed("arxiv");
  const host = neighbourRows(numNodes, NEIGHBOURS);
  const P = SparseMatrix.upload(backend, host);
  const rng = new Rng(2);
  const features = Float32Array.from({ length: numNodes * COLS }, () => rng.normal());
  const X = tensor(backend, features, [numNodes, COLS]);
  await checkRows(backend, host, features, X, P);

  /** Runs are over when a number of their result is on the host: a GPU only takes orders until then. */
  const forward = (aggregate: () => Tensor) => async () => {
    const Y = aggregate();
    await backend.read(backend.view(Y.buffer, 0, 1));
    Y.dispose();
  };
  const both = (aggregate: () => Tensor, of: Tensor[] = [P.values!, X]) => {
    return async () => {
      const { value, grads } = valueAndGrad(() => [sum(aggregate())], of);
      await backend.read(backend.view(grads.at(-1)!.buffer, 0, 1));
      for (const result of [value, ...grads]) result.dispose();
    };
  };
  const plain = () => spmm(P, X);
  const robust = () => softMedian(P, X, TEMPERATURE);
  const readOne = async () => void (await backend.read(backend.view(X.buffer, 0, 1)));
  const product = forward(plain);
  await both(robust)(); // makes the transposed pattern, which is kept
  const before = backend.memory.current;
  backend.memory.resetPeak();
  await both(robust)();
  const extraBytes = backend.memory.peak - before;
  const steps = {
    productBefore: product,
    median: forward(robust),
    productBetween: product,
    medianBoth: both(robust),
    productAfter: product,
    productBoth: both(plain),
    sum: both(() => X, [X]),
    readOne,
  };
  const times = aggregationTimes(await timeRounds(steps, ROUNDS));
  for (const item of [P, X]) item.dispose();
  return {
    shape: `${numNodes} rows of ${NEIGHBOURS} neighbours, ${COLS} columns`,
    ...times,
    extraBytes,
    entryBytes: 4 * NEIGHBOURS * numNodes,
  };
}

/** Random neighbours with random weights. */
function neighbourRows(n: number, k: number): Csr {
  const rng = new Rng(1);
  const colIdx = Int32Array.from({ length: n * k }, () => rng.integer(n));
  for (let i = 0; i < n; i++) colIdx.subarray(i * k, (i + 1) * k).sort();
  const values = Float32Array.from({ length: n * k }, () => 0.05 + rng.uniform());
  return { numRows: n, numCols: n, rowPtr: Int32Array.from({ length: n + 1 }, (_, i) => i * k), colIdx, values };
}

async function checkRows(backend: Backend, host: Csr, features: Float32Array, X: Tensor, P: SparseMatrix) {
  const entries = CHECKED_ROWS * NEIGHBOURS;
  const Y = softMedian(P, X, TEMPERATURE);
  const actual = (await backend.read(Y.buffer)).subarray(0, CHECKED_ROWS * COLS);
  Y.dispose();
  const expected = await onReference(CHECKED_ROWS * COLS, (reference, out) => {
    const S = {
      numRows: CHECKED_ROWS,
      numCols: host.numCols,
      rowPtr: reference.upload(Int32Array.from(host.rowPtr.subarray(0, CHECKED_ROWS + 1))),
      colIdx: reference.upload(host.colIdx.subarray(0, entries)),
      values: reference.upload(host.values!.subarray(0, entries)),
    };
    const median = reference.alloc("f32", out.length);
    const at = reference.alloc("i32", out.length);
    const saved = { median, at, shares: reference.alloc("f32", entries) };
    reference.softMedian(out, saved, S, reference.upload(features), COLS, TEMPERATURE);
  });
  failIf(differs(actual, expected));
}
