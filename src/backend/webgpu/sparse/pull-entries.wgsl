// For spmm.wgsl: dX_j = Σ_e direct_e G_i + pull_e (X_j − M_i) over the entries e = (j, i) of a pattern, with terms_e =
// (direct_e, pull_e); added to dX where ACCUMULATE is 1. Where HELD is 1, heldGrad_ic is added in each column c with
// holder_ic = j, once even if the entry is there twice. Only where X_jc = M_ic can that be, so only there is `holder`
// read. A launch may be for the rows from `offset` on. T is f32 or vec4f, I the same of i32.
// constants: T, I, ACCUMULATE, HELD
// params: cols u32, offset u32
// writes: dX T
// reads: rowPtr u32, colIdx u32, terms vec2f, G T, M T, X T, heldGrad T, holder I

struct Entries { row: u32, first: u32, length: u32 }

fn entriesOf(row: u32) -> Entries {
  let first = rowPtr[row];
  return Entries(row, first, rowPtr[row + 1u] - first);
}

fn columnOf(row: Entries, e: u32) -> u32 { return colIdx[row.first + e]; }

fn termOf(row: Entries, e: u32, i: u32, c: u32) -> T {
  let place = i * params.cols + c;
  let term = terms[row.first + e];
  let x = X[row.row * params.cols + c];
  let m = M[place];
  let sum = term.x * G[place] + term.y * (x - m);
  if (HELD == 0u) { return sum; }
  if (!any(x == m)) { return sum; }
  if (e > 0u) {
    if (colIdx[row.first + e - 1u] == i) { return sum; }
  }
  return sum + select(T(0.0), heldGrad[place], holder[place] == I(i32(params.offset + row.row)));
}

fn startOf(row: u32, c: u32) -> T {
  if (ACCUMULATE == 1u) { return dX[row * params.cols + c]; }
  return T(0.0);
}

fn factorOf(row: u32) -> f32 { return 1.0; }

fn store(row: u32, c: u32, total: T) -> f32 {
  dX[row * params.cols + c] = total;
  return 0.0;
}

fn closeRow(row: u32, panel: u32, isDone: bool, share: f32, local: u32) {}
