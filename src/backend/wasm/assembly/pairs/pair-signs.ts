/**
 * out_e = −1 if the sorted rows hold entry (source_e, target_e), else +1, multiplied by the old out_e if `multiply`.
 * Consecutive pairs of a sorted block often fall between the same two entries of a row, so four pairs at a time are
 * first compared with the last gap found.
 */
export function pairSigns(
  begin: i32,
  end: i32,
  out: usize,
  sources: usize,
  targets: usize,
  rowPtr: usize,
  colIdx: usize,
  multiply: i32,
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
        if (!multiply) v128.store(out + at, f32x4.splat(1));
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
    store<f32>(out + at, multiply ? sign * load<f32>(out + at) : sign);
    e++;
  }
}

/**
 * The same for pairs in ascending order: writes +1 for all pairs of one source, then searches them for each entry of
 * its row. Rows usually have far fewer entries than a block has pairs of that source.
 */
export function sortedSigns(
  begin: i32,
  end: i32,
  out: usize,
  sources: usize,
  targets: usize,
  rowPtr: usize,
  colIdx: usize,
): void {
  for (let e = begin; e < end; ) {
    const row = load<i32>(sources + ((<usize>e) << 2));
    const first = e;
    let same = i32x4.splat(-1);
    for (; e + 4 <= end; e += 4) {
      // Writes four at a time; signs that belong to the next row are overwritten later.
      const at = (<usize>e) << 2;
      v128.store(out + at, f32x4.splat(1));
      same = i32x4.eq(v128.load(sources + at), i32x4.splat(row));
      if (!i32x4.all_true(same)) break;
    }
    if (e + 4 <= end) e += ctz(~i32x4.bitmask(same));
    else for (; e < end && load<i32>(sources + ((<usize>e) << 2)) === row; e++) store<f32>(out + ((<usize>e) << 2), 1);
    const entry = rowPtr + ((<usize>row) << 2);
    const numEntries = load<i32>(entry, 4) - load<i32>(entry);
    if (numEntries > e - first) pairSigns(first, e, out, sources, targets, rowPtr, colIdx, 0);
    else markEntries(first, e, out, targets, colIdx + ((<usize>load<i32>(entry)) << 2), numEntries);
  }
}

/** Writes −1 for those of the pairs begin … end − 1, all of one source, whose target is among the columns listed. */
function markEntries(begin: i32, end: i32, out: usize, targets: usize, cols: usize, count: i32): void {
  let low = begin;
  for (let t = 0; t < count && low < end; t++) {
    const col = load<i32>(cols + ((<usize>t) << 2));
    if (col < load<i32>(targets + ((<usize>low) << 2))) continue;
    for (let size = end - low; size > 1; ) {
      // the last target at or before `col`, without branches that nobody can predict
      const half = size >>> 1;
      low = select<i32>(low + half, low, load<i32>(targets + ((<usize>(low + half)) << 2)) <= col);
      size -= half;
    }
    if (load<i32>(targets + ((<usize>low) << 2)) === col) store<f32>(out + ((<usize>low) << 2), -1);
  }
}
