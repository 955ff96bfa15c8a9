// Soft Medoid, rows begin … end − 1 of a sparse matrix. Every pair of neighbours is compared: quadratic by definition.
import { madd } from "../shared/fma";
import { exp4 } from "../shared/math";
import { rowBegin, rowEnd } from "../shared/sparse-rows";
import { dotRow } from "../shared/vector";
import { giveWorkspace, longestRow, takeWorkspace } from "../shared/workspaces";
import { fours, pairBytes, pairDistances, weightedDifferences } from "./pair-distances";
import { LANES, padRow, slabsOf, unpadRow } from "./row-slabs";

// The workspace of this thread, as `openMedoids` lays it out.
let weights: usize = 0; // a float per neighbour
let scores: usize = 0; // another
let distances: usize = 0; // a float per pair of neighbours
let own: usize = 0; // a padded row: of the result, or of its gradient
let rows: usize = 0; // the padded rows of the neighbours
let sums: usize = 0; // as many more
let width: usize = 0; // bytes of a padded row

/**
 * Bytes of a workspace for rows of up to `count` neighbours: two floats and two padded rows each, a float per pair, and
 * two rows more.
 */
export function medoidBytes(count: i32, cols: i32): f64 {
  const padded = <f64>fours(count);
  return padded * 8 + padded * padded * 4 + (2 * padded + 2) * <f64>slabsOf(cols) * <f64>LANES;
}

function openMedoids(workspaces: usize, cols: i32): void {
  const longest = longestRow(workspaces);
  const floats = (<usize>fours(longest)) << 2;
  width = <usize>slabsOf(cols) * LANES;
  weights = takeWorkspace(workspaces);
  scores = weights + floats;
  distances = scores + floats;
  own = distances + pairBytes(longest);
  rows = own + 2 * width;
  sums = rows + (floats >> 2) * width;
}

export function softMedoid(
  begin: i32,
  end: i32,
  out: usize,
  shares: usize,
  rowPtr: usize,
  colIdx: usize,
  values: usize,
  x: usize,
  scale: usize,
  cols: i32,
  temperature: f32,
  weightCorrection: i32,
  workspaces: usize,
): void {
  openMedoids(workspaces, cols);
  for (let i = begin; i < end; i++) {
    const first = rowBegin(rowPtr, i);
    const bytes = rowEnd(rowPtr, i) - first;
    gather(x, colIdx + first, values ? values + first : 0, bytes, cols);
    const count = <i32>(bytes >> 2);
    pairDistances(distances, rows, count, width);
    const across = (<usize>fours(count)) << 2;
    for (let e: usize = 0; e < bytes; e += 4) {
      store<f32>(scores + e, dotRow(weights, distances + (e >> 2) * across, across));
    }
    sharesOf(shares + first, bytes, temperature, weightCorrection);
    const factor = load<f32>(scale + ((<usize>i) << 2));
    clear(own);
    for (let e: usize = 0; e < bytes; e += 4) {
      add(own, rows + (e >> 2) * width, factor * load<f32>(shares + first + e));
    }
    unpadRow(out + <usize>i * ((<usize>cols) << 2), own, cols);
  }
  giveWorkspace(workspaces, weights);
}

/** Copies weights and padded rows of the neighbours, and fills both with zeros up to a multiple of four neighbours. */
function gather(x: usize, colIdx: usize, values: usize, bytes: usize, cols: i32): void {
  for (let e: usize = 0; e < bytes; e += 4) {
    store<f32>(weights + e, values ? load<f32>(values + e) : 1);
    padRow(rows + (e >> 2) * width, x + <usize>load<u32>(colIdx + e) * ((<usize>cols) << 2), cols);
  }
  for (let e = bytes; e & 15; e += 4) {
    store<f32>(weights + e, 0);
    clear(rows + (e >> 2) * width);
  }
}

/** q = softmax(−score / T); with `weightCorrection`, times the weights and normalised again. Overwrites the scores. */
function sharesOf(q: usize, bytes: usize, temperature: f32, weightCorrection: i32): void {
  const cold = <f32>-1 / temperature;
  let top: f32 = -Infinity;
  for (let e: usize = 0; e < bytes; e += 4) {
    const exponent = load<f32>(scores + e) * cold;
    store<f32>(scores + e, exponent);
    if (!weightCorrection || load<f32>(weights + e) > 0) top = max(top, exponent);
  }
  let sum: f32 = 0;
  for (let e: usize = 0; e < bytes; e += 16) {
    v128.store(scores + e, exp4(f32x4.sub(v128.load(scores + e), f32x4.splat(top))));
  }
  for (let e: usize = 0; e < bytes; e += 4) {
    const weight = weightCorrection ? load<f32>(weights + e) : 1;
    const share: f32 = weight > 0 ? load<f32>(scores + e) * weight : 0;
    store<f32>(q + e, share);
    sum += share;
  }
  if (sum > 0) for (let e: usize = 0; e < bytes; e += 4) store<f32>(q + e, load<f32>(q + e) / sum);
}

/**
 * Gradients by the neighbours' rows for rows firstRow + begin … firstRow + end − 1: one row of `cols` floats per entry,
 * the first for the first entry of firstRow. The caller adds up those of entries with the same column.
 */
export function softMedoidGrad(
  begin: i32,
  end: i32,
  grads: usize,
  firstRow: i32,
  dy: usize,
  shares: usize,
  rowPtr: usize,
  colIdx: usize,
  values: usize,
  x: usize,
  scale: usize,
  cols: i32,
  temperature: f32,
  workspaces: usize,
): void {
  openMedoids(workspaces, cols);
  const rowBytes = (<usize>cols) << 2;
  const firstEntry = rowBegin(rowPtr, firstRow);
  for (let i = firstRow + begin; i < firstRow + end; i++) {
    const first = rowBegin(rowPtr, i);
    const bytes = rowEnd(rowPtr, i) - first;
    const q = shares + first;
    const factor = load<f32>(scale + ((<usize>i) << 2));
    gather(x, colIdx + first, values ? values + first : 0, bytes, cols);
    padRow(own, dy + <usize>i * rowBytes, cols);
    scoreGrads(q, factor, bytes, temperature);
    const count = <i32>(bytes >> 2);
    pairDistances(distances, rows, count, width);
    distancesToPulls(distances, scores, weights, (<usize>fours(count)) << 2);
    weightedDifferences(sums, distances, rows, count, width);
    for (let e: usize = 0; e < bytes; e += 4) {
      add(sums + (e >> 2) * width, own, factor * load<f32>(q + e));
    }
    for (let e: usize = 0; e < bytes; e += 4) {
      unpadRow(grads + ((first + e - firstEntry) >> 2) * rowBytes, sums + (e >> 2) * width, cols);
    }
  }
  giveWorkspace(workspaces, weights);
}

/** scores_e = −q_e (⟨factor · dY_i, x_e⟩ − Σ q ⟨factor · dY_i, x⟩) / T, the gradients by the distances' weighted sums. */
function scoreGrads(q: usize, factor: f32, bytes: usize, temperature: f32): void {
  let mean: f32 = 0;
  for (let e: usize = 0; e < bytes; e += 4) {
    const dot = factor * dotRow(own, rows + (e >> 2) * width, width);
    store<f32>(scores + e, dot);
    mean += load<f32>(q + e) * dot;
  }
  for (let e: usize = 0; e < bytes; e += 4) {
    store<f32>(scores + e, (-load<f32>(q + e) * (load<f32>(scores + e) - mean)) / temperature);
  }
  for (let e = bytes; e & 15; e += 4) store<f32>(scores + e, 0);
}

/** M_jl = (t_j a_l + t_l a_j) / M_jl, and 0 for equal points. */
function distancesToPulls(m: usize, t: usize, a: usize, across: usize): void {
  for (let j: usize = 0; j < across; j += 4) {
    const tj = v128.load32_splat(t + j);
    const aj = v128.load32_splat(a + j);
    for (let l: usize = 0; l < across; l += 16) {
      const apart = v128.load(m);
      const pull = f32x4.add(f32x4.mul(tj, v128.load(a + l)), f32x4.mul(aj, v128.load(t + l))); // symmetric bit by bit
      v128.store(m, v128.andnot(f32x4.div(pull, apart), f32x4.eq(apart, f32x4.splat(0))));
      m += 16;
    }
  }
}

function clear(row: usize): void {
  for (let at: usize = 0; at < width; at += 16) v128.store(row + at, f32x4.splat(0));
}

/** row += factor · x. */
function add(row: usize, x: usize, factor: f32): void {
  const w = f32x4.splat(factor);
  for (let at: usize = 0; at < width; at += 16) {
    v128.store(row + at, madd(w, v128.load(x + at), v128.load(row + at)));
  }
}
