// What small changes to the edges do to the margins of a stack of graph convolutions, each change on its own. Only rows that a
// change reaches are computed: with a the scale of a node and U the inputs of a layer, a row's sum T = Σ a·U over its neighbours
// changes by a'·U' − a·U for every neighbour whose scale or input changes, and by ±a'·U' for a toggled pair.
import { giveWorkspace, longestRow, takeWorkspace } from "../shared/workspaces";
import {
  changedInputs,
  changedSums,
  clear,
  countOf,
  degreeChange,
  nodeAt,
  openPatch,
  placeOf,
  rowAt,
  rowOf,
  spare,
} from "./patch";
import {
  BY_ROW,
  CLASSES,
  DEGREES,
  DIRECTED,
  FLAGS,
  INPUTS,
  LAYERS,
  layerAt,
  MARGINS,
  NODES,
  READER_BOUNDS,
  READERS,
  STRIDE,
  SUMS,
  sourceScale,
  sumScale,
  WIDTH,
} from "./record";
import { activate, addScaled, finishRow, marginOf } from "./rows";

let record: usize = 0;
let flags: u32 = 0;
// the pairs of the change at hand
let sources: usize = 0;
let targets: usize = 0;
let first: u32 = 0;
let last: u32 = 0;

/**
 * Changes begin … end − 1; change t toggles the pairs offsets[t] … offsets[t + 1] − 1, each once. Writes three floats for each: by
 * how much the number of positive margins changes, the sum of the margins, and the sum of `m / (1 + |m|)`.
 */
export function tryFlips(
  begin: i32,
  end: i32,
  outcomes: usize,
  stack: usize,
  offsets: usize,
  pairSources: usize,
  pairTargets: usize,
  workspaces: usize,
): void {
  open(stack, pairSources, pairTargets);
  const workspace = takeWorkspace(workspaces);
  openPatch(workspace, load<i32>(record, NODES), longestRow(workspaces));
  for (let t = <usize>begin; t < <usize>end; t++) {
    first = load<u32>(offsets + (t << 2));
    last = load<u32>(offsets + (t << 2), 4);
    propagate(false);
    readOutcome(outcomes + t * 12);
    clear(changedSums());
    forgetDegrees();
  }
  giveWorkspace(workspaces, workspace);
}

/**
 * Makes one change for good: sums, inputs, degrees and margins are then those of the changed graph. The host changes
 * the lists of edges.
 */
export function keepFlips(
  stack: usize,
  count: i32,
  pairSources: usize,
  pairTargets: usize,
  workspace: usize,
  floats: i32,
): void {
  open(stack, pairSources, pairTargets);
  openPatch(workspace, load<i32>(record, NODES), floats);
  first = 0;
  last = <u32>count;
  propagate(true);
  writeMargins();
  clear(changedSums());
  writeDegrees();
  forgetDegrees();
}

function open(stack: usize, pairSources: usize, pairTargets: usize): void {
  record = stack;
  flags = load<u32>(record, FLAGS);
  sources = pairSources;
  targets = pairTargets;
}

/** Leaves the activated rows of the last layer among the changed sums. */
function propagate(keep: boolean): void {
  changeDegrees();
  const layers = load<i32>(record, LAYERS);
  for (let l = 0; l < layers; l++) {
    const layer = layerAt(record, l);
    if (l === 0) enterEnds(layer);
    spreadInputs(layer);
    togglePairs(layer);
    if (keep) keepLayer(layer, l > 0);
    clear(changedInputs());
    if (l + 1 === layers) {
      activateSums(layer);
      return;
    }
    finishSums(layer, layerAt(record, l + 1));
    clear(changedSums());
  }
}

/** A pair changes the degree of both ends; on a directed graph only that of its row if BY_ROW, else of its column. */
function changeDegrees(): void {
  for (let e = first; e < last; e++) {
    const i = source(e);
    const j = target(e);
    const sign = hasReader(i, j) ? -1 : 1;
    if (!(flags & DIRECTED) || flags & BY_ROW) addDegree(i, sign);
    if (!(flags & DIRECTED) || !(flags & BY_ROW)) addDegree(j, sign);
  }
}

/** Lists the nodes whose scale changes as the first changed inputs, although their inputs are the same. */
function enterEnds(layer: usize): void {
  const bytes = load<usize>(layer, STRIDE) << 2;
  const inputs = load<usize>(layer, INPUTS);
  if (flags & BY_ROW) return;
  for (let e = first; e < last; e++) {
    const j = target(e);
    rowOf(changedInputs(), j, inputs + <usize>j * bytes, bytes);
    if (flags & DIRECTED) continue;
    const i = source(e);
    rowOf(changedInputs(), i, inputs + <usize>i * bytes, bytes);
  }
}

/** Adds a'·U' − a·U to the sums of all nodes that read a changed input, the node itself included. */
function spreadInputs(layer: usize): void {
  const bytes = load<usize>(layer, STRIDE) << 2;
  const inputs = load<usize>(layer, INPUTS);
  const sums = load<usize>(layer, SUMS);
  const readerBounds = load<usize>(record, READER_BOUNDS);
  const readers = load<usize>(record, READERS);
  const list = changedInputs();
  const count = countOf(list);
  const delta = spare();
  for (let k: u32 = 0; k < count; k++) {
    const v = nodeAt(list, k);
    memory.fill(delta, 0, bytes);
    addScaled(delta, rowAt(list, k, bytes), sourceScale(flags, newDegree(v)), bytes);
    addScaled(delta, inputs + <usize>v * bytes, -sourceScale(flags, oldDegree(v)), bytes);
    addScaled(rowOf(changedSums(), v, sums + <usize>v * bytes, bytes), delta, 1, bytes);
    const bounds = readerBounds + ((<usize>v) << 3);
    const end = load<u32>(bounds, 4);
    for (let e = load<u32>(bounds); e < end; e++) {
      const w = load<u32>(readers + ((<usize>e) << 2));
      addScaled(rowOf(changedSums(), w, sums + <usize>w * bytes, bytes), delta, 1, bytes);
    }
  }
}

/** For each pair, adds a'·U' of the other end, or subtracts it if the edge is there. */
function togglePairs(layer: usize): void {
  for (let e = first; e < last; e++) {
    const i = source(e);
    const j = target(e);
    const sign: f32 = hasReader(i, j) ? -1 : 1;
    toggleRow(layer, i, j, sign);
    if (!(flags & DIRECTED)) toggleRow(layer, j, i, sign);
  }
}

function toggleRow(layer: usize, reader: u32, v: u32, sign: f32): void {
  const bytes = load<usize>(layer, STRIDE) << 2;
  const place = placeOf(changedInputs(), v);
  const input = place ? rowAt(changedInputs(), place - 1, bytes) : load<usize>(layer, INPUTS) + <usize>v * bytes;
  const sum = rowOf(changedSums(), reader, load<usize>(layer, SUMS) + <usize>reader * bytes, bytes);
  addScaled(sum, input, sign * sourceScale(flags, newDegree(v)), bytes);
}

/** Inputs of the next layer from the sums of this one. */
function finishSums(layer: usize, next: usize): void {
  const bytes = load<usize>(layer, STRIDE) << 2;
  const nextBytes = load<usize>(next, STRIDE) << 2;
  const list = changedSums();
  const count = countOf(list);
  for (let k: u32 = 0; k < count; k++) {
    const v = nodeAt(list, k);
    const input = rowOf(changedInputs(), v, 0, nextBytes);
    finishRow(input, rowAt(list, k, bytes), sumScale(flags, newDegree(v)), layer, next);
  }
}

function activateSums(layer: usize): void {
  const bytes = load<usize>(layer, STRIDE) << 2;
  const list = changedSums();
  const count = countOf(list);
  for (let k: u32 = 0; k < count; k++) {
    activate(rowAt(list, k, bytes), sumScale(flags, newDegree(nodeAt(list, k))), layer);
  }
}

/** Compares the margins after the change with those before, for the nodes that count. */
function readOutcome(outcome: usize): void {
  const layer = layerAt(record, load<i32>(record, LAYERS) - 1);
  const bytes = load<usize>(layer, STRIDE) << 2;
  const width = load<usize>(layer, WIDTH);
  const classes = load<usize>(record, CLASSES);
  const margins = load<usize>(record, MARGINS);
  const list = changedSums();
  const count = countOf(list);
  let positive = 0;
  let total: f64 = 0;
  let bounded: f64 = 0;
  for (let k: u32 = 0; k < count; k++) {
    const v = <usize>nodeAt(list, k);
    const own = load<i32>(classes + (v << 2));
    if (own < 0) continue;
    const before = load<f32>(margins + (v << 2));
    const after = marginOf(rowAt(list, k, bytes), width, own, flags);
    positive += i32(after > 0) - i32(before > 0);
    total += <f64>(after - before);
    bounded += <f64>(squash(after) - squash(before));
  }
  store<f32>(outcome, <f32>positive);
  store<f32>(outcome, <f32>total, 4);
  store<f32>(outcome, <f32>bounded, 8);
}

function squash(m: f32): f32 {
  return m / (1 + abs(m));
}

/** Writes the sums of a layer over the old ones, and its inputs where they changed. */
function keepLayer(layer: usize, inputsChanged: boolean): void {
  const bytes = load<usize>(layer, STRIDE) << 2;
  if (inputsChanged) copyRows(load<usize>(layer, INPUTS), changedInputs(), bytes);
  copyRows(load<usize>(layer, SUMS), changedSums(), bytes);
}

function copyRows(to: usize, list: usize, bytes: usize): void {
  const count = countOf(list);
  for (let k: u32 = 0; k < count; k++) memory.copy(to + <usize>nodeAt(list, k) * bytes, rowAt(list, k, bytes), bytes);
}

function writeMargins(): void {
  const layer = layerAt(record, load<i32>(record, LAYERS) - 1);
  const bytes = load<usize>(layer, STRIDE) << 2;
  const list = changedSums();
  const count = countOf(list);
  for (let k: u32 = 0; k < count; k++) {
    const v = <usize>nodeAt(list, k);
    const own = load<i32>(load<usize>(record, CLASSES) + (v << 2));
    if (own < 0) continue;
    const margin = marginOf(rowAt(list, k, bytes), load<usize>(layer, WIDTH), own, flags);
    store<f32>(load<usize>(record, MARGINS) + (v << 2), margin);
  }
}

function writeDegrees(): void {
  for (let e = first; e < last; e++) {
    writeDegree(source(e));
    writeDegree(target(e));
  }
}

/** Resets the change of degree to 0, so that a node in several pairs gets its new degree once. */
function writeDegree(v: u32): void {
  const address = load<usize>(record, DEGREES) + ((<usize>v) << 2);
  store<f32>(address, newDegree(v));
  store<i32>(degreeChange(v), 0);
}

function forgetDegrees(): void {
  for (let e = first; e < last; e++) {
    store<i32>(degreeChange(source(e)), 0);
    store<i32>(degreeChange(target(e)), 0);
  }
}

function addDegree(v: u32, sign: i32): void {
  store<i32>(degreeChange(v), load<i32>(degreeChange(v)) + sign);
}

function oldDegree(v: u32): f32 {
  return load<f32>(load<usize>(record, DEGREES) + ((<usize>v) << 2));
}

function newDegree(v: u32): f32 {
  return oldDegree(v) + <f32>load<i32>(degreeChange(v));
}

function source(e: u32): u32 {
  return load<u32>(sources + ((<usize>e) << 2));
}

function target(e: u32): u32 {
  return load<u32>(targets + ((<usize>e) << 2));
}

/** Whether row i reads node j: the edge is there. */
function hasReader(i: u32, j: u32): bool {
  const readers = load<usize>(record, READERS);
  const bounds = load<usize>(record, READER_BOUNDS) + ((<usize>j) << 3);
  const end = load<u32>(bounds, 4);
  let low = load<u32>(bounds);
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (load<u32>(readers + ((<usize>middle) << 2)) < i) low = middle + 1;
    else high = middle;
  }
  return low < end && load<u32>(readers + ((<usize>low) << 2)) === i;
}
