// Two sparse matrices around a third, M = P·K·Pᵀ, nodes begin … end − 1: row i of P·K as a dense vector that fits into a
// cache, then one sparse dot product for each pair that has an end at i.
import { giveSlot, takeSlot } from "../shared/workspace-slots";

/**
 * out_e = M_ij and mirrored_e = M_ji for the pairs e = (i, j), diagonal_i = 2 M_ii. The pairs whose source is i are those in
 * places bySource[fromSource[i]] …, and likewise for targets.
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
  locks: usize,
  slots: i32,
  work: usize,
  stride: usize,
): void {
  const slot = takeSlot(locks, slots);
  const row = work + <usize>slot * stride;
  for (let i = begin; i < end; i++) {
    memory.fill(row, 0, (<usize>n) << 2);
    combine(row, i, pRowPtr, pColIdx, pValues, kRowPtr, kColIdx, kValues);
    store<f32>(diagonal + ((<usize>i) << 2), 2 * dot(row, i, pRowPtr, pColIdx, pValues));
    dots(out, i, row, fromSource, bySource, targets, pRowPtr, pColIdx, pValues);
    dots(mirrored, i, row, fromTarget, byTarget, sources, pRowPtr, pColIdx, pValues);
  }
  giveSlot(locks, slot);
}

/** One dot product for each pair of node i with the row of its other end. */
function dots(
  out: usize,
  i: i32,
  row: usize,
  from: usize,
  order: usize,
  others: usize,
  pRowPtr: usize,
  pColIdx: usize,
  pValues: usize,
): void {
  const last = (<usize>load<u32>(from + ((<usize>i) << 2), 4)) << 2;
  for (let t = (<usize>load<u32>(from + ((<usize>i) << 2))) << 2; t < last; t += 4) {
    const e = (<usize>load<u32>(order + t)) << 2;
    store<f32>(out + e, dot(row, load<i32>(others + e), pRowPtr, pColIdx, pValues));
  }
}

/** row += Σ_l P_il K_l. */
function combine(
  row: usize,
  i: i32,
  pRowPtr: usize,
  pColIdx: usize,
  pValues: usize,
  kRowPtr: usize,
  kColIdx: usize,
  kValues: usize,
): void {
  const stop = (<usize>load<u32>(pRowPtr + ((<usize>i) << 2), 4)) << 2;
  for (let e = (<usize>load<u32>(pRowPtr + ((<usize>i) << 2))) << 2; e < stop; e += 4) {
    const weight = load<f32>(pValues + e);
    if (weight === 0) continue;
    const l = (<usize>load<u32>(pColIdx + e)) << 2;
    const last = (<usize>load<u32>(kRowPtr + l, 4)) << 2;
    for (let f = (<usize>load<u32>(kRowPtr + l)) << 2; f < last; f += 4) {
      const at = row + ((<usize>load<u32>(kColIdx + f)) << 2);
      store<f32>(at, load<f32>(at) + weight * load<f32>(kValues + f));
    }
  }
}

/** ⟨row, P_j⟩ with four running sums. */
function dot(row: usize, j: i32, pRowPtr: usize, pColIdx: usize, pValues: usize): f32 {
  let e = (<usize>load<u32>(pRowPtr + ((<usize>j) << 2))) << 2;
  const stop = (<usize>load<u32>(pRowPtr + ((<usize>j) << 2), 4)) << 2;
  let s0: f32 = 0;
  let s1: f32 = 0;
  let s2: f32 = 0;
  let s3: f32 = 0;
  for (; e + 16 <= stop; e += 16) {
    s0 += load<f32>(pValues + e) * load<f32>(row + ((<usize>load<u32>(pColIdx + e)) << 2));
    s1 += load<f32>(pValues + e, 4) * load<f32>(row + ((<usize>load<u32>(pColIdx + e, 4)) << 2));
    s2 += load<f32>(pValues + e, 8) * load<f32>(row + ((<usize>load<u32>(pColIdx + e, 8)) << 2));
    s3 += load<f32>(pValues + e, 12) * load<f32>(row + ((<usize>load<u32>(pColIdx + e, 12)) << 2));
  }
  for (; e < stop; e += 4) s0 += load<f32>(pValues + e) * load<f32>(row + ((<usize>load<u32>(pColIdx + e)) << 2));
  return s0 + s1 + (s2 + s3);
}
