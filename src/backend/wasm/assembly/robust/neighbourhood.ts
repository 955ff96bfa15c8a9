// The workspace in which a thread keeps one row of a sparse matrix while it aggregates: weights, scores and one vector of
// partial sums per neighbour, padded rows, and the neighbours' rows of X in slabs.

import { sums4 } from "../shared/vector";
import { giveWorkspace, longestRow, takeWorkspace } from "../shared/workspaces";
import { BRACKET_BYTES, lowerBits, MAX_NEIGHBOURS } from "./bracket-median";
import { fixedWeights } from "./median";
import { gatherSlabs, LANES, slabBytes, slabStride, slabsOf } from "./row-slabs";

let work: usize = 0;
let longest: i32 = 0; // neighbours
let room: i32 = 0; // the same, rounded up to a multiple of four
let width: i32 = 0;

/** Bytes of a workspace for rows of up to `count` neighbours and `cols` columns. */
export function neighbourhoodBytes(count: i32, cols: i32): f64 {
  const slabs = <f64>slabsOf(cols) * <f64>slabStride(count);
  return <f64>padded(count) * 36 + <f64>(2 * rowBytes(cols)) + slabs + <f64>BRACKET_BYTES;
}

/** Takes a workspace, which the functions below use from now on. */
export function openNeighbourhood(workspaces: usize, cols: i32): void {
  work = takeWorkspace(workspaces);
  longest = longestRow(workspaces);
  room = padded(longest);
  width = cols;
}

export function closeNeighbourhood(workspaces: usize): void {
  giveWorkspace(workspaces, work);
}

function padded(count: i32): i32 {
  return (count + 3) & ~3;
}

function rowBytes(cols: i32): usize {
  return <usize>slabsOf(cols) * LANES;
}

/** Weights as floats; places up to the next multiple of four are 0. */
export function weights(): usize {
  return work;
}

export function wholeWeights(): usize {
  return work + ((<usize>room) << 2);
}

/** One float per neighbour; there are three such lists, number 0, 1 and 2. */
export function scores(number: i32): usize {
  return work + <usize>(2 + number) * ((<usize>room) << 2);
}

/** Four floats per neighbour, for sums that are spread over lanes. */
export function lanes(): usize {
  return work + <usize>room * 20;
}

/** Rows padded to whole slabs: number 0 and 1. */
export function paddedRow(number: i32): usize {
  return work + <usize>room * 36 + <usize>number * rowBytes(width);
}

export function slab(number: i32, count: i32): usize {
  return paddedRow(2) + <usize>number * slabStride(count);
}

/** Where `bracketMedian` works, behind the slabs of the longest row. */
export function brackets(): usize {
  return paddedRow(2) + slabBytes(longest, width);
}

/** Copies the weights of a row (all 1 where `values` is 0) and the rows of its neighbours; returns the sum of the weights. */
export function gatherRow(x: usize, colIdx: usize, values: usize, count: i32): f32 {
  gatherSlabs(slab(0, count), x, colIdx, count, width);
  return copyWeights(values, count);
}

/** Copies the weights alone; returns their sum. */
export function copyWeights(values: usize, count: i32): f32 {
  const a = weights();
  let sum: f64 = 0;
  for (let e: usize = 0; e < (<usize>count) << 2; e += 4) {
    const weight: f32 = values ? load<f32>(values + e) : 1;
    store<f32>(a + e, weight);
    sum += weight;
  }
  for (let e = count; e < padded(count); e++) store<f32>(a + ((<usize>e) << 2), 0);
  return <f32>sum;
}

/** Prepares the weights for medians; returns their sum. */
export function prepareMedian(count: i32, sum: f32): i32 {
  return fixedWeights(wholeWeights(), weights(), count, sum, count <= MAX_NEIGHBOURS ? 16 + lowerBits(count) : 29);
}

export function clearLanes(at: usize, count: i32): void {
  for (let e: usize = 0; e < (<usize>padded(count)) << 4; e += 16) v128.store(at + e, f32x4.splat(0));
}

/** The sums of the lanes of the four neighbours from place `at` / 4 on. */
export function laneSums(lanes: usize, at: usize): v128 {
  const from = lanes + (at << 2);
  return sums4(v128.load(from), v128.load(from, 16), v128.load(from, 32), v128.load(from, 48));
}
