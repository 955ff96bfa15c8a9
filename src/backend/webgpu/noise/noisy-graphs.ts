import { check } from "../../../core/errors.ts";
import { TILE } from "../../../graph/noise/pair-coins.ts";
import type { CsrBuffers, NoisyGraphKernels } from "../../backend.ts";
import type { Gpu } from "../device/gpu.ts";
import type { GpuBuffer } from "../device/gpu-buffer.ts";
import { largestPageRank } from "../page-rank/largest-page-rank.ts";
import { packLargest } from "../page-rank/pack-largest.ts";
import { pushLargest } from "../page-rank/push-largest.ts";
import type { Precision } from "../precision.ts";
import { exclusiveScan } from "../selection/scan.ts";
import { clear } from "../shared/clear.ts";
import { sortRows } from "../sparse/group-rows.ts";

/** Kernels that draw noisy graphs, normalise them and count votes, all on the device. */
export function noisyGraphs(gpu: Gpu, precision: Precision): NoisyGraphKernels {
  return {
    halves: precision === "half",
    drawNoisyGraphs: drawNoisyGraphs(gpu),
    normaliseEntries: normaliseEntries(gpu),
    entryRows: entryRows(gpu),
    ...largestPageRank(gpu, precision),
    ...pushLargest(gpu),
    packLargest: packLargest(gpu),
    addVotes: addVotes(gpu),
  };
}

/** Draws all coins twice, first to count entries, then to write them: faster than storing them in between. */
function drawNoisyGraphs(gpu: Gpu): NoisyGraphKernels["drawNoisyGraphs"] {
  return ({ to, most, clean, coins, first, graphs }) => {
    const name = "drawNoisyGraphs";
    const { numRows: rows } = to;
    const { rowPtr, colIdx } = gpu.csr(name, to);
    const capacity = colIdx.length;
    const A = gpu.csr(name, clean.A);
    const { numRows: numNodes } = clean.A;
    const numEdges = clean.sources.length;
    const tilesAcross = 2 * Math.ceil(numNodes / (2 * TILE)); // even, as draw-noisy.wgsl numbers them
    const numTiles = (tilesAcross / 2) * (tilesAcross + 1);
    const threads = graphs * (numTiles + numEdges + numNodes);
    check(graphs * numNodes <= rows, () => `${name}: ${graphs} graphs of ${numNodes} nodes do not fit ${rows} rows`);
    check(threads < 2 ** 32, () => `${name}: ${threads} tiles, edges and nodes are more than a launch counts`);
    const [keyA, keyB, keyC, keyD] = coins.key;
    const edges = {
      cleanPtr: A.rowPtr,
      cleanIdx: A.colIdx,
      sources: gpu.ints(name, "sources", clean.sources),
      targets: gpu.ints(name, "targets", clean.targets, numEdges),
      limits: gpu.ints(name, "limits", coins.limits, TILE * TILE),
    };
    const draw = (SCATTER: 0 | 1, slots: GpuBuffer, columns: GpuBuffer | null) => {
      const sizes = { graphs, numNodes, numTiles, tilesAcross, numEdges, first, rows, capacity };
      const params = { ...sizes, vanish: coins.vanish, keyA, keyB, keyC, keyD };
      const bind = { slots, columns, ...edges };
      gpu.launch({ shader: "draw-noisy", constants: { SCATTER }, bind, params, threads });
    };
    gpu.borrow({ next: { i32: 2 * rows }, columns: { i32: capacity } }, ({ next, columns }) => {
      clear(gpu, rowPtr, rows + 1);
      draw(0, rowPtr, null);
      exclusiveScan(gpu, rowPtr, next, rows + 1);
      draw(1, next, columns);
      const bind = { rowPtr, tops: next, most: gpu.ints(name, "most", most, 1) };
      gpu.launch({ shader: "fit-rows", bind, params: { rows, capacity }, threads: rows + 1 });
      sortRows(gpu, { rowPtr, colIdx, values: null }, rows, { columns, entryValues: null, tops: next });
    });
  };
}

function normaliseEntries(gpu: Gpu): NoisyGraphKernels["normaliseEntries"] {
  return (out, S, normalisation) => {
    const { rowPtr, colIdx } = gpu.csr("normaliseEntries", S);
    const LANES = lanesOf(S);
    gpu.launch({
      shader: "normalise-entries",
      constants: { LANES, SYMMETRIC: Number(normalisation === "symmetric") },
      bind: { out: gpu.floats("normaliseEntries", "out", out, colIdx.length), rowPtr, colIdx },
      params: { rows: S.numRows },
      threads: S.numRows * LANES,
    });
  };
}

function entryRows(gpu: Gpu): NoisyGraphKernels["entryRows"] {
  return (out, S) => {
    const { rowPtr, colIdx } = gpu.csr("entryRows", S);
    const LANES = lanesOf(S);
    gpu.launch({
      shader: "entry-rows",
      constants: { LANES },
      bind: { out: gpu.ints("entryRows", "out", out, colIdx.length), rowPtr },
      params: { rows: S.numRows },
      threads: S.numRows * LANES,
    });
  };
}

function addVotes(gpu: Gpu): NoisyGraphKernels["addVotes"] {
  return (counts, classes, { graphs, numNodes, numClasses }) => {
    const length = graphs * numNodes;
    const bind = {
      counts: gpu.ints("addVotes", "counts", counts, numNodes * numClasses),
      classes: gpu.ints("addVotes", "classes", classes, length),
    };
    gpu.launch({ shader: "add-votes", bind, params: { length, numNodes, numClasses }, threads: length });
  };
}

/** Threads per row: about as many as a row has entries on average, up to 32. */
function lanesOf({ numRows, colIdx }: CsrBuffers): number {
  let lanes = 1;
  while (lanes < 32 && lanes * numRows < colIdx.length) lanes *= 2;
  return lanes;
}
