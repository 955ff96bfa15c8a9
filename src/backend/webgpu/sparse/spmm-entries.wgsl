// For spmm.wgsl: out = S·X for one sparse matrix S, added to out where ACCUMULATE is 1.
// uses: csr-entries
// requires: gathered(j, c, weight), put(row, c, y), putBefore(row, c)
// constants: T, ACCUMULATE

fn startOf(row: u32, c: u32) -> T {
  if (ACCUMULATE == 1u) { return putBefore(row, c); }
  return T();
}

fn factorOf(row: u32) -> f32 { return 1.0; }

fn store(row: u32, c: u32, total: T) -> f32 {
  put(row, c, total);
  return 0.0;
}

fn closeRow(row: u32, panel: u32, isDone: bool, share: f32, local: u32) {}
