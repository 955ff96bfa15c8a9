/**
 * out_e = −1 if the sorted rows hold entry (source_e, target_e), else +1, times what it was if `turn`. Between two entries of a row lies a gap: pairs of a
 * sorted block fall into the same gap again and again, so four at a time are compared with the last one found.
 */
export function pairSigns(
  begin: i32,
  end: i32,
  out: usize,
  sources: usize,
  targets: usize,
  rowPtr: usize,
  colIdx: usize,
  turn: i32,
): void {
  let row = -1; // targets between `before` and `after` are no entries of this row
  let before = 0;
  let after = 0;
  for (let e = begin; e < end; ) {
    const at = (<usize>e) << 2;
    if (e + 4 <= end) {
      const target = v128.load(targets + at);
      const sameRow = i32x4.eq(v128.load(sources + at), i32x4.splat(row));
      const inside = v128.and(i32x4.gt_s(target, i32x4.splat(before)), i32x4.lt_s(target, i32x4.splat(after)));
      if (i32x4.all_true(v128.and(sameRow, inside))) {
        if (!turn) v128.store(out + at, f32x4.splat(1));
        e += 4;
        continue;
      }
    }
    const target = load<i32>(targets + at);
    let sign: f32 = 1;
    if (load<i32>(sources + at) !== row || target <= before || target >= after) {
      row = load<i32>(sources + at);
      const first = load<i32>(rowPtr + ((<usize>row) << 2));
      const last = load<i32>(rowPtr + ((<usize>row) << 2), 4);
      let low = first;
      let high = last;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (load<i32>(colIdx + ((<usize>middle) << 2)) < target) low = middle + 1;
        else high = middle;
      }
      before = low > first ? load<i32>(colIdx + ((<usize>(low - 1)) << 2)) : -1;
      after = low < last ? load<i32>(colIdx + ((<usize>low) << 2)) : i32.MAX_VALUE;
      if (after === target) {
        sign = -1;
        before = target;
        after = low + 1 < last ? load<i32>(colIdx + ((<usize>(low + 1)) << 2)) : i32.MAX_VALUE;
      }
    }
    store<f32>(out + at, turn ? sign * load<f32>(out + at) : sign);
    e++;
  }
}
