import { edgeBudget } from "../attack/budget.ts";
import { prbcd } from "../attack/prbcd.ts";
import type { Backend, Buffer } from "../backend/backend.ts";
import { Rng } from "../core/rng.ts";
import { syntheticCitation } from "../data/synthetic/synthetic-citation.ts";
import { createSoftMedianGdc, softMedianGdcDefaults } from "../defense/robust-gdc.ts";
import type { Graph } from "../graph/graph.ts";
import { addSelfLoops } from "../graph/self-loops.ts";
import { train, trainDefaults } from "../nn/training/train.ts";
import { exactPageRank } from "../ppr/exact.ts";
import { SparseMatrix, toDevice } from "../tensor/index.ts";
import { densePageRank } from "./dense-page-rank.ts";
import { caseSplit } from "./epoch-case.ts";
import { differs, failIf } from "./sample.ts";

const BLOCK_SIZE = 100_000;
/**
 * Epochs of the attack. Published attacks have 500. From the fortieth on, about as many pairs are active as at the end;
 * in the first epochs half of the block is active.
 */
const EPOCHS = 64;
const EARLY_EPOCHS = 8;
const LATE_EPOCHS = 24;
/** Runs of each dense step; the best counts, as for epochs, because other work on the machine disturbs some. */
const DENSE_RUNS = 4;

/** Seconds of an epoch of the adaptive attack on Soft Median GDC, compared with those of the dense inverse alone. */
export interface AdaptiveResult {
  readonly shape: string;
  readonly secondsPerEpoch: number;
  /** The same in the first epochs, when half of the candidates are active. */
  readonly secondsPerEarlyEpoch: number;
  readonly denseInverse: number;
  /** Two products of n × n matrices. */
  readonly denseGradient: number;
  /** Time of inverse and gradient / time of an epoch. */
  readonly gain: number;
  readonly earlyGain: number;
}

/** What an epoch of the adaptive attack costs on the shape of Cora ML. */
export async function adaptiveCost(backend: Backend): Promise<AdaptiveResult> {
  const graph = syntheticCitation();
  const epochs = await attackEpochs(backend, graph);
  const secondsPerEpoch = Math.min(...epochs.slice(-LATE_EPOCHS)); // the best, like all times here
  const secondsPerEarlyEpoch = Math.min(...epochs.slice(0, EARLY_EPOCHS));
  const { denseInverse, denseGradient } = await denseCost(backend, graph);
  const dense = denseInverse + denseGradient;
  return {
    shape: `${graph.numNodes} nodes, ${BLOCK_SIZE} candidates`,
    secondsPerEpoch,
    secondsPerEarlyEpoch,
    denseInverse,
    denseGradient,
    gain: dense / secondsPerEpoch,
    earlyGain: dense / secondsPerEarlyEpoch,
  };
}

/** Seconds of each epoch of the attack but the last, which evaluates the model twice. */
async function attackEpochs(backend: Backend, graph: Graph): Promise<number[]> {
  const view = toDevice(backend, graph);
  const sizes = { features: graph.numFeatures, classes: graph.numClasses };
  const model = createSoftMedianGdc(backend, sizes, softMedianGdcDefaults, new Rng(0));
  const split = caseSplit(graph);
  const learning = { train: split.train, val: split.val, rng: new Rng(1) };
  await train(model, view, learning, { ...trainDefaults, maxEpochs: 20 }); // untrained, it has no weaknesses
  const times: number[] = [];
  const progress = { update: () => void times.push(performance.now()) };
  const task = { nodes: split.test, budget: edgeBudget(graph, 0.1), rng: new Rng(2), progress };
  await prbcd(model, view, task, {
    preset: "paper",
    blockSize: BLOCK_SIZE,
    epochs: EPOCHS + 1,
    fineTuneEpochs: 1,
    samples: 1,
  });
  return times.slice(1, EPOCHS).map((time, t) => (time - times[t]) / 1000);
}

/** Seconds of the dense inverse, which is checked, and of the products that its gradient takes. */
async function denseCost(
  backend: Backend,
  { numNodes: n, adjacency }: Graph,
): Promise<Pick<AdaptiveResult, "denseInverse" | "denseGradient">> {
  const alpha = softMedianGdcDefaults.alpha;
  let inverse = densePageRank(backend, adjacency, alpha); // warms up
  const invert = () => {
    backend.free(inverse);
    return (inverse = densePageRank(backend, adjacency, alpha));
  };
  const denseInverse = await best(backend, invert);
  const A = { numNodes: n, parts: [SparseMatrix.upload(backend, addSelfLoops(adjacency)).buffers] };
  const exact = exactPageRank(backend, A, { alpha });
  failIf(differs((await backend.read(inverse)) as Float32Array, (await backend.read(exact.matrix)) as Float32Array));
  const product = backend.alloc("f32", n * n);
  const multiply = () => {
    backend.matmul(product, inverse, exact.matrix, { m: n, n, k: n });
    return product;
  };
  return { denseInverse, denseGradient: 2 * (await best(backend, multiply)) };
}

/** The fewest seconds until a number of the result is read back: before that, a GPU may only have queued the work. */
async function best(backend: Backend, run: () => Buffer): Promise<number> {
  let seconds = Number.POSITIVE_INFINITY;
  for (let t = 0; t < DENSE_RUNS; t++) {
    const begin = performance.now();
    await backend.read(backend.view(run(), 0, 1));
    seconds = Math.min(seconds, (performance.now() - begin) / 1000);
  }
  return seconds;
}
