// The whole stack, layer by layer: what trials start from.

import { giveWorkspace, longestRow, takeWorkspace } from "../shared/workspaces";
import { openPatch, spare } from "./patch";
import {
  CLASSES,
  COL_IDX,
  DEGREES,
  FLAGS,
  INPUTS,
  LAYERS,
  layerAt,
  MARGINS,
  NODES,
  ROW_BOUNDS,
  STRIDE,
  SUMS,
  sourceScale,
  sumScale,
  WIDTH,
} from "./record";
import { activate, addScaled, finishRow, marginOf } from "./rows";

/** Rows begin … end − 1 of layer l: their sums, and from those the inputs of the next layer or, in the last, the margins. */
export function stackRows(begin: i32, end: i32, record: usize, l: i32, workspaces: usize): void {
  const layer = layerAt(record, l);
  const stride = load<usize>(layer, STRIDE) << 2;
  const sums = load<usize>(layer, SUMS);
  const inputs = load<usize>(layer, INPUTS);
  const flags = load<u32>(record, FLAGS);
  const degrees = load<usize>(record, DEGREES);
  const isLast = l + 1 === load<i32>(record, LAYERS);
  const next = layerAt(record, l + 1);
  const workspace = takeWorkspace(workspaces);
  openPatch(workspace, load<i32>(record, NODES), longestRow(workspaces));
  const row = spare();
  for (let i = <usize>begin; i < <usize>end; i++) {
    const sum = sums + i * stride;
    sumNeighbours(sum, i, inputs, stride, record);
    memory.copy(row, sum, stride);
    const scale = sumScale(flags, load<f32>(degrees + (i << 2)));
    if (!isLast) {
      finishRow(load<usize>(next, INPUTS) + i * (load<usize>(next, STRIDE) << 2), row, scale, layer, next);
      continue;
    }
    const own = load<i32>(load<usize>(record, CLASSES) + (i << 2));
    if (own < 0) continue;
    activate(row, scale, layer);
    store<f32>(load<usize>(record, MARGINS) + (i << 2), marginOf(row, load<usize>(layer, WIDTH), own, flags));
  }
  giveWorkspace(workspaces, workspace);
}

/** sum = Σ a_v·U_v over the neighbours and the node itself. */
function sumNeighbours(sum: usize, i: usize, inputs: usize, stride: usize, record: usize): void {
  const flags = load<u32>(record, FLAGS);
  const degrees = load<usize>(record, DEGREES);
  const bounds = load<usize>(record, ROW_BOUNDS) + (i << 3);
  const colIdx = load<usize>(record, COL_IDX);
  memory.fill(sum, 0, stride);
  addScaled(sum, inputs + i * stride, sourceScale(flags, load<f32>(degrees + (i << 2))), stride);
  for (let e = load<u32>(bounds); e < load<u32>(bounds, 4); e++) {
    const v = <usize>load<u32>(colIdx + ((<usize>e) << 2));
    addScaled(sum, inputs + v * stride, sourceScale(flags, load<f32>(degrees + (v << 2))), stride);
  }
}
