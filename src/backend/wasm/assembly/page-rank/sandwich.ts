// Entries of M = P·K·Pᵀ with sparse P and K, nodes begin … end − 1: row i of P·K as a dense vector that fits into a
// cache, then one sparse dot product for each pair that has an end at i.
import { rowBegin, rowEnd } from "../shared/sparse-rows";
import { giveWorkspace, takeWorkspace } from "../shared/workspaces";

// P, set for each chunk.
let rowPtr: usize = 0;
let colIdx: usize = 0;
let values: usize = 0;

/** row += Σ_l P_il K_l. */
function combine(row: usize, i: i32, kRowPtr: usize, kColIdx: usize, kValues: usize): void {
  const stop = rowEnd(rowPtr, i);
  for (let e = rowBegin(rowPtr, i); e < stop; e += 4) {
    const weight = load<f32>(values + e);
    if (weight === 0) continue;
    const l = load<i32>(colIdx + e);
    const last = rowEnd(kRowPtr, l);
    for (let f = rowBegin(kRowPtr, l); f < last; f += 4) {
      const at = row + ((<usize>load<u32>(kColIdx + f)) << 2);
      store<f32>(at, load<f32>(at) + weight * load<f32>(kValues + f));
    }
  }
}

/** ⟨row, P_j⟩ with four running sums. */
function dot(row: usize, j: i32): f32 {
  const columns = colIdx;
  const weights = values;
  let e = rowBegin(rowPtr, j);
  const stop = rowEnd(rowPtr, j);
  let s0: f32 = 0;
  let s1: f32 = 0;
  let s2: f32 = 0;
  let s3: f32 = 0;
  for (; e + 16 <= stop; e += 16) {
    s0 += load<f32>(weights + e) * load<f32>(row + ((<usize>load<u32>(columns + e)) << 2));
    s1 += load<f32>(weights + e, 4) * load<f32>(row + ((<usize>load<u32>(columns + e, 4)) << 2));
    s2 += load<f32>(weights + e, 8) * load<f32>(row + ((<usize>load<u32>(columns + e, 8)) << 2));
    s3 += load<f32>(weights + e, 12) * load<f32>(row + ((<usize>load<u32>(columns + e, 12)) << 2));
  }
  for (; e < stop; e += 4) s0 += load<f32>(weights + e) * load<f32>(row + ((<usize>load<u32>(columns + e)) << 2));
  return s0 + s1 + (s2 + s3);
}

/** out_e = ⟨row, P_j⟩ for each pair e of node i, with j the other end of the pair. */
function dots(out: usize, i: i32, row: usize, from: usize, order: usize, others: usize): void {
  const last = rowEnd(from, i);
  for (let t = rowBegin(from, i); t < last; t += 4) {
    const e = (<usize>load<u32>(order + t)) << 2;
    store<f32>(out + e, dot(row, load<i32>(others + e)));
  }
}

/**
 * out_e = M_ij and mirrored_e = M_ji for the pairs e = (i, j), diagonal_i = 2 M_ii. The pairs with source i are
 * bySource[fromSource[i]] … bySource[fromSource[i + 1] − 1], and likewise for targets.
 */
export function sandwich(
  begin: i32,
  end: i32,
  out: usize,
  mirrored: usize,
  diagonal: usize,
  sources: usize,
  targets: usize,
  fromSource: usize,
  bySource: usize,
  fromTarget: usize,
  byTarget: usize,
  pRowPtr: usize,
  pColIdx: usize,
  pValues: usize,
  kRowPtr: usize,
  kColIdx: usize,
  kValues: usize,
  n: i32,
  workspaces: usize,
): void {
  rowPtr = pRowPtr;
  colIdx = pColIdx;
  values = pValues;
  const row = takeWorkspace(workspaces);
  for (let i = begin; i < end; i++) {
    memory.fill(row, 0, (<usize>n) << 2);
    combine(row, i, kRowPtr, kColIdx, kValues);
    store<f32>(diagonal + ((<usize>i) << 2), 2 * dot(row, i));
    dots(out, i, row, fromSource, bySource, targets);
    dots(mirrored, i, row, fromTarget, byTarget, sources);
  }
  giveWorkspace(workspaces, row);
}
