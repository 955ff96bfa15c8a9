// The active pairs of a block as a sparse matrix: collected, counted by row, scattered. Pairs in ascending order fill every
// row in ascending order, mirror images first; the sort at the end moves something only where pairs were not sorted.

/** Entries t of the active positions: where they belong, and their values sign · weight. */
export function collectActive(
  begin: i32,
  end: i32,
  rows: usize,
  cols: usize,
  values: usize,
  active: usize,
  sources: usize,
  targets: usize,
  signs: usize,
  weights: usize,
): void {
  for (let t = begin; t < end; t++) {
    const at = (<usize>t) << 2;
    const e = (<usize>load<u32>(active + at)) << 2;
    store<u32>(rows + at, load<u32>(sources + e));
    store<u32>(cols + at, load<u32>(targets + e));
    store<f32>(values + at, load<f32>(signs + e) * load<f32>(weights + e));
  }
}

/** Compresses `count` entries, and their mirror images unless `directed`, to rows in the order in which they come. */
export function compressEntries(
  rowPtr: usize,
  colIdx: usize,
  values: usize,
  n: i32,
  count: i32,
  directed: i32,
  rows: usize,
  cols: usize,
  from: usize,
): void {
  const size = (<usize>count) << 2;
  for (let i = 0; i <= n; i++) store<u32>(rowPtr + ((<usize>i) << 2), 0);
  for (let t: usize = 0; t < size; t += 4) {
    bump(rowPtr, load<u32>(rows + t));
    if (!directed) bump(rowPtr, load<u32>(cols + t));
  }
  // Shifted by one row while scattering: rowPtr[i + 1] is where row i goes on, and ends up where row i + 1 begins.
  let place: u32 = 0;
  let before: u32 = 0;
  for (let i = 0; i <= n; i++) {
    const at = rowPtr + ((<usize>i) << 2);
    const entries = load<u32>(at);
    store<u32>(at, place);
    place += before;
    before = entries;
  }
  for (let t: usize = 0; t < size; t += 4) {
    const i = load<u32>(rows + t);
    const j = load<u32>(cols + t);
    const value = load<f32>(from + t);
    append(rowPtr, colIdx, values, i, j, value);
    if (!directed) append(rowPtr, colIdx, values, j, i, value);
  }
}

/** Sorts rows begin … end − 1 by column. */
export function sortRows(begin: i32, end: i32, rowPtr: usize, colIdx: usize, values: usize): void {
  for (let i = begin; i < end; i++) {
    const row = rowPtr + ((<usize>i) << 2);
    sortRow(colIdx, values, load<u32>(row), load<u32>(row, 4));
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
