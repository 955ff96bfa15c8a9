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
/** A round takes seconds on a few cores, milliseconds on a GPU, whose driver recompiles kernels after some use. */
const ROUNDS = { warmUpMs: 1500, atLeast: 7, enoughMs: 3000 };

export interface AggregationResult extends AggregationTimes {
  readonly shape: string;
  /** Peak memory beyond matrix and features; and, for comparison, the bytes of k floats per row. */
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

  const inputs = [P.values!, X];
  const product = forward(backend, () => spmm(P, X));
  const median = forward(backend, () => softMedian(P, X, TEMPERATURE));
  const medianBoth = both(backend, () => softMedian(P, X, TEMPERATURE), inputs);
  const steps = {
    productBefore: product,
    median,
    productBetween: product,
    medianBoth,
    productAfter: product,
    productBoth: both(backend, () => spmm(P, X), inputs),
    sum: both(backend, () => X, [X]),
    readOne: () => readOne(backend, X),
  };
  await medianBoth(); // builds the transposed pattern, which is cached
  const extraBytes = await peakOf(backend, medianBoth);
  const times = aggregationTimes(await timeRounds(steps, ROUNDS));
  for (const item of [P, X]) item.dispose();
  return {
    shape: `${numNodes} rows of ${NEIGHBOURS} neighbours, ${COLS} columns`,
    ...times,
    extraBytes,
    entryBytes: 4 * NEIGHBOURS * numNodes,
  };
}

type Step = () => Promise<void>;

/** Waits for a step by reading back one number of its result: before that, a GPU may only have queued the work. */
async function readOne(backend: Backend, { buffer }: Tensor): Promise<void> {
  await backend.read(backend.view(buffer, 0, 1));
}

function forward(backend: Backend, aggregate: () => Tensor): Step {
  return async () => {
    const Y = aggregate();
    await readOne(backend, Y);
    Y.dispose();
  };
}

/** Forward and backward of the sum of the result. */
function both(backend: Backend, aggregate: () => Tensor, inputs: readonly Tensor[]): Step {
  return async () => {
    const { value, grads } = valueAndGrad(() => [sum(aggregate())], inputs);
    await readOne(backend, grads.at(-1)!);
    for (const result of [value, ...grads]) result.dispose();
  };
}

/** Peak bytes of a step beyond those allocated before it. */
async function peakOf(backend: Backend, step: Step): Promise<number> {
  const before = backend.memory.current;
  backend.memory.resetPeak();
  await step();
  return backend.memory.peak - before;
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
    reference.softMedian({ out, saved, S, X: reference.upload(features), cols: COLS, temperature: TEMPERATURE });
  });
  failIf(differs(actual, expected));
}
