// For spmm.wgsl: out ← out + sign·S·X + F, with F the diagonal matrix of `scale`·√deg in columns from `begin` on: a step of PageRank.
// uses: entry-weight, gather-whole
// constants: T, SIZE
// params: cols u32, sign f32, scale f32, begin u32
// writes: out T
// reads: rowPtr u32, colIdx u32, degrees f32

struct Entries { first: u32, length: u32 }

fn entriesOf(row: u32) -> Entries {
  let first = rowPtr[row];
  return Entries(first, rowPtr[row + 1u] - first);
}

fn columnOf(row: Entries, e: u32) -> u32 { return colIdx[row.first + e]; }

fn termOf(row: Entries, e: u32, j: u32, c: u32) -> T { return weightOf(row.first + e) * gathered(j, c); }

// The sum is multiplied by the sign, and so is what it starts from.
fn startOf(row: u32, c: u32) -> T { return params.sign * out[row * params.cols + c]; }

fn factorOf(row: u32) -> f32 { return params.sign; }

fn store(row: u32, c: u32, total: T) -> f32 {
  var sum = total;
  let column = row - params.begin; // wraps around where the row is before all columns
  if (column / SIZE == c) { sum[column % SIZE] += params.scale * sqrt(degrees[row]); }
  out[row * params.cols + c] = sum;
  return 0.0;
}

fn closeRow(row: u32, panel: u32, isDone: bool, share: f32, local: u32) {}
