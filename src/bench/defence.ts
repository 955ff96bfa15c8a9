import { edgeBudget } from "../attack/budget.ts";
import { prbcd } from "../attack/prbcd.ts";
import type { Backend } from "../backend/backend.ts";
import { createWasm } from "../backend/wasm/wasm.ts";
import type { Progress } from "../core/progress.ts";
import { Rng } from "../core/rng.ts";
import { syntheticCitation } from "../data/synthetic-citation.ts";
import { createSoftMedianGdc, softMedianGdcDefaults } from "../defense/robust-gdc.ts";
import { softMedian } from "../defense/soft-median.ts";
import type { Csr } from "../graph/csr.ts";
import { addSelfLoops } from "../graph/self-loops.ts";
import { shapeNamed } from "../graph/shapes.ts";
import { train, trainDefaults } from "../nn/train.ts";
import { exactPageRank } from "../ppr/exact.ts";
import { SparseMatrix, spmm, sum, type Tensor, tensor, toDevice, valueAndGrad } from "../tensor/index.ts";
import { densePageRank } from "./dense-page-rank.ts";
import { caseSplit } from "./epoch-case.ts";
import { differs, onReference } from "./sample.ts";

const NEIGHBOURS = 64;
const COLS = 64;
const TEMPERATURE = 0.2;
const CHECKED_ROWS = 20;
const BLOCK_SIZE = 100_000;
/** Of the attack; those at the end, when its candidates have thinned out, are timed. */
const EPOCHS = 12;
const TIMED_EPOCHS = 4;
/** Of each variant; they take turns, and each is so long that it needs no more. */
const RUNS = 3;

export interface DefenceReport {
  readonly aggregation: AggregationResult;
  readonly adaptive: AdaptiveResult;
}

/** Soft Median beside the sparse product, in milliseconds; `backward` gives the gradients by weights and features. */
export interface AggregationResult {
  readonly shape: string;
  readonly product: { readonly forward: number; readonly backward: number };
  readonly softMedian: { readonly forward: number; readonly backward: number };
  /** Soft Median / one sparse product. */
  readonly ratio: { readonly forward: number; readonly backward: number };
  /** Most memory beyond matrix and features, and what k floats per row take. */
  readonly extraBytes: number;
  readonly entryBytes: number;
}

/** Seconds of an epoch of the adaptive attack on Soft Median GDC, beside what the dense inverse alone would take. */
export interface AdaptiveResult {
  readonly shape: string;
  readonly secondsPerEpoch: number;
  readonly denseInverse: number;
  /** Two products of n × n matrices. */
  readonly denseGradient: number;
  readonly gain: number;
}

export async function benchDefence(threads: number, progress: Progress): Promise<DefenceReport> {
  progress.update(0, 2, "Soft Median on the arxiv shape");
  const aggregation = await aggregationCost(threads);
  progress.update(1, 2, "adaptive attack on the shape of Cora ML");
  return { aggregation, adaptive: await adaptiveCost(threads) };
}

async function aggregationCost(threads: number): Promise<AggregationResult> {
  const backend = await createWasm({ threads });
  const { numNodes } = shapeNamed("arxiv");
  const host = neighbourRows(numNodes, NEIGHBOURS);
  const P = SparseMatrix.upload(backend, host);
  const rng = new Rng(2);
  const features = Float32Array.from({ length: numNodes * COLS }, () => rng.normal());
  const X = tensor(backend, features, [numNodes, COLS]);
  await checkRows(backend, host, features, X, P);

  const both = (aggregate: () => Tensor) => () => {
    const { value, grads } = valueAndGrad(() => [sum(aggregate())], [P.values!, X]);
    for (const result of [value, ...grads]) result.dispose();
  };
  const robust = () => softMedian(P, X, TEMPERATURE);
  both(robust)(); // makes the transposed pattern, which is kept
  const before = backend.memory.current;
  backend.memory.resetPeak();
  both(robust)();
  const extraBytes = backend.memory.peak - before;
  const runs = [() => spmm(P, X).dispose(), both(() => spmm(P, X)), () => robust().dispose(), both(robust)];
  const [product, productBoth, median, medianBoth] = bestTimes(runs);
  await backend.close();
  const [backward, medianBackward] = [productBoth! - product!, medianBoth! - median!];
  return {
    shape: `${numNodes} rows of ${NEIGHBOURS} neighbours, ${COLS} columns`,
    product: { forward: product!, backward },
    softMedian: { forward: median!, backward: medianBackward },
    ratio: { forward: median! / product!, backward: medianBackward / product! },
    ...{ extraBytes, entryBytes: 4 * NEIGHBOURS * numNodes },
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
      ...{ numRows: CHECKED_ROWS, numCols: host.numCols },
      rowPtr: reference.upload(Int32Array.from(host.rowPtr.subarray(0, CHECKED_ROWS + 1))),
      colIdx: reference.upload(host.colIdx.subarray(0, entries)),
      values: reference.upload(host.values!.subarray(0, entries)),
    };
    const [median, at] = [reference.alloc("f32", out.length), reference.alloc("i32", out.length)];
    const saved = { median, at, shares: reference.alloc("f32", entries) };
    reference.softMedian(out, saved, S, reference.upload(features), COLS, TEMPERATURE);
  });
  fail(differs(actual, expected));
}

async function adaptiveCost(threads: number): Promise<AdaptiveResult> {
  const backend = await createWasm({ threads });
  const graph = syntheticCitation();
  const view = toDevice(backend, graph);
  const n = graph.numNodes;
  const sizes = { features: graph.numFeatures, classes: graph.numClasses };
  const model = createSoftMedianGdc(backend, sizes, softMedianGdcDefaults, new Rng(0));
  const split = caseSplit(graph);
  const learning = { train: split.train, val: split.val, rng: new Rng(1) };
  await train(model, view, learning, { ...trainDefaults, maxEpochs: 20 }); // a model that knows little has no weak spots
  const times: number[] = [];
  const progress = { update: () => void times.push(performance.now()) };
  const task = { nodes: split.test, budget: edgeBudget(graph, 0.1), rng: new Rng(2), progress };
  await prbcd(model, view, task, { blockSize: BLOCK_SIZE, epochs: EPOCHS + 1, fineTuneEpochs: 1, samples: 1 });
  const epochs = times.slice(1, EPOCHS).map((time, t) => time - times[t]!); // the last one looks twice
  const secondsPerEpoch = Math.min(...epochs.slice(-TIMED_EPOCHS)) / 1000; // at best, as all times here are

  const alpha = softMedianGdcDefaults.alpha;
  let inverse = densePageRank(backend, graph.adjacency, alpha); // warms up
  const denseInverse = Math.min(
    ...[0, 1].map(() => {
      backend.free(inverse);
      return time(() => (inverse = densePageRank(backend, graph.adjacency, alpha)));
    }),
  );
  const A = { numNodes: n, parts: [SparseMatrix.upload(backend, addSelfLoops(graph.adjacency)).buffers] };
  const exact = exactPageRank(backend, A, { alpha });
  fail(differs((await backend.read(inverse)) as Float32Array, (await backend.read(exact.matrix)) as Float32Array));
  const product = backend.alloc("f32", n * n);
  const multiply = () => backend.matmul(product, inverse, exact.matrix, { m: n, n, k: n });
  const denseGradient = 2 * Math.min(time(multiply), time(multiply));
  await backend.close();
  return {
    shape: `${n} nodes, ${BLOCK_SIZE} candidates`,
    ...{ secondsPerEpoch, denseInverse, denseGradient },
    gain: (denseInverse + denseGradient) / secondsPerEpoch,
  };
}

/** Milliseconds of the best run of each variant. */
function bestTimes(variants: readonly (() => void)[]): number[] {
  const best = variants.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < RUNS; round++) {
    for (const [v, run] of variants.entries()) best[v] = Math.min(best[v]!, 1000 * time(run));
  }
  return best;
}

/** Seconds. */
function time(run: () => void): number {
  const begin = performance.now();
  run();
  return (performance.now() - begin) / 1000;
}

function fail(complaint: string | null): void {
  if (complaint) throw new Error(`bench: ${complaint}`);
}
