/**
 * The active pairs of a block as a sparse matrix: histogram, prefix sum, scatter. Pairs in ascending order fill every
 * row in ascending order, mirror images first; the sort at the end moves something only where pairs were not sorted.
 */
export function activeMatrix(
  rowPtr: usize,
  colIdx: usize,
  values: usize,
  n: i32,
  active: usize,
  count: i32,
  directed: i32,
  sources: usize,
  targets: usize,
  signs: usize,
  weights: usize,
): void {
  for (let i = 0; i <= n; i++) store<u32>(rowPtr + ((<usize>i) << 2), 0);
  for (let t = 0; t < count; t++) {
    const e = (<usize>load<u32>(active + ((<usize>t) << 2))) << 2;
    bump(rowPtr, load<u32>(sources + e));
    if (!directed) bump(rowPtr, load<u32>(targets + e));
  }
  // Shifted by one row while scattering: rowPtr[i + 1] is where row i goes on, and ends up where row i + 1 begins.
  let place: u32 = 0;
  let before: u32 = 0;
  for (let i = 0; i <= n; i++) {
    const at = rowPtr + ((<usize>i) << 2);
    const rows = load<u32>(at);
    store<u32>(at, place);
    place += before;
    before = rows;
  }
  for (let t = 0; t < count; t++) {
    const e = (<usize>load<u32>(active + ((<usize>t) << 2))) << 2;
    const i = load<u32>(sources + e);
    const j = load<u32>(targets + e);
    const value = load<f32>(signs + e) * load<f32>(weights + e);
    append(rowPtr, colIdx, values, i, j, value);
    if (!directed) append(rowPtr, colIdx, values, j, i, value);
  }
  for (let i = 0; i < n; i++) {
    sortRow(colIdx, values, load<u32>(rowPtr + ((<usize>i) << 2)), load<u32>(rowPtr + ((<usize>i) << 2), 4));
  }
}

function bump(rowPtr: usize, i: u32): void {
  const at = rowPtr + ((<usize>i) << 2);
  store<u32>(at, load<u32>(at) + 1);
}

/** Appends an entry to row i, whose end so far is kept at rowPtr[i + 1]. */
function append(rowPtr: usize, colIdx: usize, values: usize, i: u32, j: u32, value: f32): void {
  const end = rowPtr + ((<usize>(i + 1)) << 2);
  const at = (<usize>load<u32>(end)) << 2;
  store<u32>(end, load<u32>(end) + 1);
  store<u32>(colIdx + at, j);
  store<f32>(values + at, value);
}

/** Insertion sort of one row by column: one pass where it is sorted already. */
function sortRow(colIdx: usize, values: usize, first: u32, last: u32): void {
  for (let e = first + 1; e < last; e++) {
    const j = load<u32>(colIdx + ((<usize>e) << 2));
    const value = load<f32>(values + ((<usize>e) << 2));
    let at = e;
    for (; at > first && load<u32>(colIdx + ((<usize>(at - 1)) << 2)) > j; at--) {
      store<u32>(colIdx + ((<usize>at) << 2), load<u32>(colIdx + ((<usize>(at - 1)) << 2)));
      store<f32>(values + ((<usize>at) << 2), load<f32>(values + ((<usize>(at - 1)) << 2)));
    }
    store<u32>(colIdx + ((<usize>at) << 2), j);
    store<f32>(values + ((<usize>at) << 2), value);
  }
}
