import { directedRows } from "../attack/local/attacked-graph.ts";
import { type LocalPrbcdOptions, resolveLocalPrbcd } from "../attack/local/local-prbcd-options.ts";
import type { LocalTarget } from "../attack/local/local-task.ts";
import { NodeSearch } from "../attack/local/prbcd/node-search.ts";
import type { RelaxedVictim } from "../attack/local/prbcd/relaxed-node.ts";
import { relaxedVictim } from "../attack/local/prbcd/relaxed-victim.ts";
import type { Progress } from "../core/progress.ts";
import { Rng } from "../core/rng.ts";
import { type NodeAttack, type NodeWork, workInTurn } from "../experiment/attack-in-turn.ts";
import { nodeJob } from "../experiment/node-workers/node-job.ts";
import { attackSideBySide } from "../experiment/node-workers/side-by-side.ts";
import { threadsFor } from "../experiment/node-workers/threads-for.ts";
import type { Flips } from "../graph/flips.ts";
import type { Graph } from "../graph/graph.ts";
import type { Model } from "../nn/model.ts";
import { train, trainDefaults } from "../nn/training/train.ts";
import { expectedColumns } from "../ppr/expected-columns.ts";
import { pushRows } from "../ppr/push-rows.ts";
import { RowsOnDemand } from "../ppr/rows-on-demand.ts";
import { type GraphView, hostGraph, toDevice } from "../tensor/index.ts";
import type { BenchDevice } from "./bench-device.ts";
import { arxivCase, caseModel, caseSplit, casesOf, coraCase, type EpochCase, pubmedCase } from "./epoch-case.ts";

/** Attacks on single nodes of one shape. */
export interface LocalBenchResult {
  readonly shape: string;
  readonly preset: string;
  /** Threads that attacked nodes at the same time; 1 with a GPU. */
  readonly threads: number;
  readonly targets: number;
  /** The rate once every thread is busy. */
  readonly targetsPerSecond: number;
  /** Hours for all nodes of the graph at this rate. */
  readonly hoursForAllNodes: number;
  /** An epoch of the published attack that computes only the rows that change (patched), and one with a whole pass. */
  readonly secondsPerEpoch: { readonly patched: number; readonly whole: number };
  /** The largest difference between the logits of patched and whole passes. */
  readonly check: string;
}

/** Distinct columns in the PageRank rows of random candidates, compared with the number expected for random rows. */
export interface TouchedColumns {
  readonly shape: string;
  readonly rows: number;
  readonly k: number;
  readonly measured: number;
  readonly expected: number;
}

export interface LocalReport {
  readonly device: string;
  readonly local: readonly LocalBenchResult[];
  readonly touched: readonly TouchedColumns[];
}

/** One graph to measure. */
export interface LocalCase {
  readonly epochCase: EpochCase;
  /** Nodes that are attacked with patched passes (on each thread) and with whole passes. */
  readonly targets: { readonly patched: number; readonly whole: number };
  /** Epochs of the attack with whole passes. */
  readonly wholeEpochs: number;
}

const CASES: readonly LocalCase[] = [
  { epochCase: coraCase, targets: { patched: 40, whole: 5 }, wholeEpochs: 40 },
  { epochCase: pubmedCase, targets: { patched: 40, whole: 3 }, wholeEpochs: 20 },
  { epochCase: arxivCase, targets: { patched: 4, whole: 1 }, wholeEpochs: 3 },
];

/** Epochs of training before the attack: an untrained model has no weaknesses to attack. */
const LEARN = 10;
/** Epochs of the published attack when its patched epochs are timed. */
const PATCHED_EPOCHS = 30;
/** Share of the degree that may be flipped. */
const SHARE = 0.5;

/** Times local PR-BCD on a GCN, with patched and with whole passes, on graphs of known shapes. */
export async function benchLocal(
  device: BenchDevice,
  { shape, threads }: { readonly shape: string | undefined; readonly threads: number },
  progress: Progress,
): Promise<LocalReport> {
  const local: LocalBenchResult[] = [];
  const touched: TouchedColumns[] = [];
  const cases = casesOf(CASES, shape);
  for (const [i, localCase] of cases.entries()) {
    progress.update(i, cases.length, `local PR-BCD on ${localCase.epochCase.name}`);
    local.push(...(await timeLocalCase(device, localCase, threads)));
    touched.push(await touchedColumns(localCase.epochCase));
  }
  return { device: device.description, local, touched };
}

/** Times one graph. On a CPU, every preset is measured with one thread and with all. */
export async function timeLocalCase(
  device: BenchDevice,
  localCase: LocalCase,
  threads: number,
): Promise<LocalBenchResult[]> {
  const { epochCase, targets } = localCase;
  const { backend } = await device.open();
  const graph = epochCase.graph();
  const split = caseSplit(graph);
  const view = toDevice(backend, graph);
  const model = caseModel(backend, graph, epochCase);
  const task = { train: split.train, val: split.val, rng: new Rng(1) };
  await train(model, view, task, { ...trainDefaults, maxEpochs: LEARN });
  const epochs = await timeEpochs(model, view, localCase, targetsAt(graph, split.test, targets.patched));
  const opened = { dataset: epochCase.name, backend, graph, view, split: () => split };
  const results: LocalBenchResult[] = [];
  for (const preset of ["strong", "paper"]) {
    const choice = { attack: "local-prbcd", model: "gcn", seed: 3, options: { preset } };
    const attack = { opened, choice, victim: model, surrogate: model };
    for (const wanted of device.name === "cpu" ? new Set([1, threads]) : [1]) {
      const nodes = targetsAt(graph, split.test, targets.patched * wanted).map(({ node }) => node);
      const work = { nodes, budget: { share: SHARE } };
      const rate = device.name === "cpu" ? await rateSideBySide(attack, work, wanted) : await rateInTurn(attack, work);
      const hoursForAllNodes = graph.numNodes / rate.targetsPerSecond / 3600;
      results.push({ shape: epochCase.name, preset, ...rate, hoursForAllNodes, ...epochs });
    }
  }
  for (const item of [model, view]) item.dispose();
  await backend.close();
  return results;
}

/** Times epochs of the published attack with patched and with whole passes, and compares their logits. */
async function timeEpochs(
  model: Model,
  view: GraphView,
  { targets, wholeEpochs }: LocalCase,
  attacked: readonly LocalTarget[],
): Promise<Pick<LocalBenchResult, "secondsPerEpoch" | "check">> {
  const graph = hostGraph(view, "bench local");
  const options = resolveLocalPrbcd({ preset: "paper", samples: 1 });
  const patched = await relaxedVictim(model, view, options);
  const whole = await relaxedVictim(model, view, { ...options, patched: false });
  const epochsOf = (victim: RelaxedVictim, count: number, epochs: number) =>
    timeSearches(graph, victim, attacked.slice(0, count), { preset: "paper", epochs, fineTuneEpochs: 0, samples: 1 });
  await epochsOf(patched, 3, 5); // warms up
  const secondsPerEpoch = {
    patched: (await epochsOf(patched, targets.patched, PATCHED_EPOCHS)) / (PATCHED_EPOCHS + 1),
    whole: (await epochsOf(whole, targets.whole, wholeEpochs)) / (wholeEpochs + 1),
  };
  const check = `logits differ by ${(await largestDifference(graph, patched, whole, attacked[0])).toExponential(0)}`;
  for (const item of [patched, whole]) item.dispose();
  return { secondsPerEpoch, check };
}

type Rate = Pick<LocalBenchResult, "threads" | "targets" | "targetsPerSecond">;

/** Attacks one node after the other on this thread, with the kernels of the device. */
async function rateInTurn(attack: NodeAttack, work: NodeWork): Promise<Rate> {
  const finishedAt: number[] = [];
  for await (const _ of workInTurn(attack, work)) finishedAt.push(performance.now());
  return rateOf(finishedAt, 1);
}

async function rateSideBySide(attack: NodeAttack, work: NodeWork, wanted: number): Promise<Rate> {
  const threads = threadsFor({ threads: wanted }, work.nodes.length);
  const job = (await nodeJob(attack, work))!; // no option is a function
  const finishedAt: number[] = [];
  const finished = () => finishedAt.push(performance.now());
  for await (const _ of attackSideBySide(job, threads, { finished }));
  return rateOf(finishedAt, threads);
}

/** Counts from when as many nodes are finished as there are threads: all have loaded program, graph and model. */
function rateOf(finishedAt: readonly number[], threads: number): Rate {
  const targets = finishedAt.length;
  const seconds = (finishedAt[targets - 1] - finishedAt[threads - 1]) / 1000;
  return { threads, targets, targetsPerSecond: (targets - threads) / seconds };
}

/** Nodes whose budget is at least one flip. */
function targetsAt(graph: Graph, nodes: Int32Array, count: number): LocalTarget[] {
  const { rowPtr } = graph.adjacency;
  const degreeOf = (node: number) => rowPtr[node + 1] - rowPtr[node];
  return Array.from(nodes.filter((node) => degreeOf(node) >= 1 / SHARE).slice(0, count), (node) => {
    const degree = degreeOf(node);
    const budget = Math.round(SHARE * degree);
    const aim = { towards: null, influence: "direct" } as const;
    return { node, label: graph.labels[node], degree, budget, rng: new Rng(3, node), ...aim };
  });
}

/** Seconds per node. */
async function timeSearches(
  graph: Graph,
  victim: RelaxedVictim,
  targets: readonly LocalTarget[],
  options: Partial<LocalPrbcdOptions>,
): Promise<number> {
  const rows = directedRows(graph);
  const nodes = new NodeSearch(rows, victim, resolveLocalPrbcd(options));
  const begin = performance.now();
  for (const target of targets) await nodes.search(target);
  return (performance.now() - begin) / 1000 / targets.length;
}

/** The largest difference of logits between both ways, with one edge of the node removed and one added. */
async function largestDifference(
  graph: Graph,
  patched: RelaxedVictim,
  whole: RelaxedVictim,
  target: LocalTarget,
): Promise<number> {
  const { node } = target;
  const { rowPtr, colIdx } = graph.adjacency;
  const neighbours = colIdx.subarray(rowPtr[node], rowPtr[node + 1]);
  const stranger = [...Array(graph.numNodes).keys()].find((v) => v !== node && !neighbours.includes(v))!;
  const ends = [neighbours[0], stranger];
  const flips: Flips = {
    sources: Int32Array.from(ends, (end) => Math.min(node, end)),
    targets: Int32Array.from(ends, (end) => Math.max(node, end)),
  };
  const goal = { loss: resolveLocalPrbcd({}).loss, floor: 1e-7 };
  const [a, b] = await Promise.all([patched, whole].map((victim) => victim.relaxed(target, goal).logitsAfter(flips)));
  return Math.max(...Array.from(a, (logit, c) => Math.abs(logit - b[c])));
}

/** Options for rows of PageRank in the published attacks on PPRGo. */
const PUSH = { alpha: 0.1, epsilon: 1e-4, k: 64 };
const CANDIDATES = 500;

async function touchedColumns({ name, graph }: EpochCase): Promise<TouchedColumns> {
  const { adjacency, numNodes } = graph();
  const rows = new RowsOnDemand((nodes) => pushRows(adjacency, nodes, PUSH), PUSH);
  const nodes = new Rng(5).shuffle(Int32Array.from({ length: numNodes }, (_, v) => v)).slice(0, CANDIDATES);
  await rows.require(nodes);
  let entries = 0;
  for (const node of nodes) entries += rows.row(node).columns.length;
  const k = entries / nodes.length; // mean entries per row: fewer than PUSH.k if pushes end early
  return {
    shape: name,
    rows: nodes.length,
    k,
    measured: rows.numSlots,
    expected: expectedColumns(numNodes, nodes.length, k),
  };
}
