// out_ci = X_ic, by tiles of 16 × 16 so that both sides move whole lines of memory.
// uses: threads
// params: rows u32, cols u32, tilesAcross u32
// writes: out f32
// reads: X f32

var<workgroup> tile: array<f32, 272>; // rows of 17: no two threads of a column share a bank

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let index = groupIndex(group);
  let top = (index / params.tilesAcross) * 16u;
  let left = (index % params.tilesAcross) * 16u;
  let y = local / 16u;
  let x = local % 16u;
  if (top + y < params.rows && left + x < params.cols) { tile[y * 17u + x] = X[(top + y) * params.cols + left + x]; }
  workgroupBarrier();
  if (left + y < params.cols && top + x < params.rows) { out[(left + y) * params.rows + top + x] = tile[x * 17u + y]; }
}
