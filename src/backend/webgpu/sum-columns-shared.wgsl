// Sums over the columns of a neighbourhood without subgroups: 16 neighbours at a time pass through workgroup memory.
const SLICE = 4u; // quads of neighbours
var<workgroup> slice: array<vec4f, SIDE * SLICE>;

// Where a quad of a column lies: no two threads of a warp share a bank, neither when they write columns nor when they read neighbours.
fn slicePlace(column: u32, quad: u32) -> u32 { return column * SLICE + (quad ^ ((column >> 1u) & 3u)); }

// Σ over a quarter of the columns of summand, for a neighbour of slice s; four threads have its quarters.
fn sumSlice(s: u32, local: u32) -> f32 {
  for (var q = 0u; q < SLICE; q++) { slice[slicePlace(local, q)] = summand(s * SLICE + q); }
  workgroupBarrier();
  let k = local & 15u;
  var sum = 0.0;
  for (var t = 0u; t < QUADS; t++) { sum += slice[slicePlace(4u * t + (local >> 4u), k >> 2u)][k & 3u]; }
  workgroupBarrier();
  return sum;
}

// Σ over the columns of summand, for the neighbour of this thread.
fn sumColumns(local: u32) -> f32 {
  slice[local] = vec4f(sumSlice(0u, local), sumSlice(1u, local), sumSlice(2u, local), sumSlice(3u, local));
  workgroupBarrier();
  let k = local & 15u;
  let s = local >> 4u;
  let total = (slice[k][s] + slice[16u + k][s]) + (slice[32u + k][s] + slice[48u + k][s]);
  workgroupBarrier();
  return total;
}
