// A workgroup of 32 threads has one row of a sparse matrix.
// uses: entry-weight
// requires: shuffleXor(x, mask, local)
// params: cols u32
// reads: rowPtr u32, colIdx u32

const THREADS = 32u;

struct Row { first: u32, last: u32 }

fn rowAt(i: u32) -> Row { return Row(rowPtr[i], rowPtr[i + 1u]); }

// 0 past the last entry.
fn weightAt(row: Row, e: u32) -> f32 {
  if (e >= row.last) { return 0.0; }
  return weightOf(e);
}

// Where the row of an entry's neighbour begins in a matrix; past the last entry, that of the last entry.
fn startAt(row: Row, e: u32) -> u32 { return colIdx[min(e, row.last - 1u)] * params.cols; }

// Sum and maximum over all threads, which must call these together.
fn sumAll(x: f32, local: u32) -> f32 {
  var sum = x;
  for (var mask = THREADS / 2u; mask > 0u; mask >>= 1u) { sum += shuffleXor(sum, mask, local); }
  return sum;
}

fn maxAll(x: f32, local: u32) -> f32 {
  var top = x;
  for (var mask = THREADS / 2u; mask > 0u; mask >>= 1u) { top = max(top, shuffleXor(top, mask, local)); }
  return top;
}
