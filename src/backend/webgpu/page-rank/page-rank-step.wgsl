// For spmm.wgsl: out ← out + sign·S·X + F, with F the diagonal matrix of `scale`·√deg in columns from `begin` on: a step of PageRank.
// uses: csr-entries, gather-whole
// constants: T, SIZE
// params: cols u32, sign f32, scale f32, begin u32
// writes: out T
// reads: degrees f32

// factorOf multiplies the start by the sign, too: with the sign here, `out` enters as it is.
fn startOf(row: u32, c: u32) -> T { return params.sign * out[row * params.cols + c]; }

fn factorOf(row: u32) -> f32 { return params.sign; }

fn store(row: u32, c: u32, total: T) -> f32 {
  var sum = total;
  let column = row - params.begin; // wraps around if the row is before `begin`
  if (column / SIZE == c) { sum[column % SIZE] += params.scale * sqrt(degrees[row]); }
  out[row * params.cols + c] = sum;
  return 0.0;
}

fn closeRow(row: u32, panel: u32, isDone: bool, share: f32, local: u32) {}
