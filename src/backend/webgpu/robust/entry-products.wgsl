// One number per stored entry e = (i, j): ⟨G_i, X_j⟩, or ‖G_i − X_j‖ / √cols where DISTANCE is 1. A team of LANES
// threads reads the two rows of an entry, and 32 threads share a row of the sparse matrix. Each team loads four entries
// before it sums any of them, so that the loads overlap. T is f32 or vec4f; width counts in T.
// uses: threads
// requires: sumLanes(x, local), total(x)
// constants: T, DISTANCE, LANES
// params: rows u32, cols u32, width u32
// writes: out f32
// reads: rowPtr u32, colIdx u32, G T, X T

const TEAMS = 32u / LANES;
var<workgroup> longest: atomic<u32>;
var<workgroup> rounds: u32;

// This thread's part of entry e; past the last entry of the row, its part of the last entry again.
fn partOf(row: u32, e: u32, last: u32, lane: u32) -> f32 {
  let j = colIdx[min(e, last - 1u)];
  var sum = T(0.0);
  for (var c = lane; c < params.width; c += LANES) {
    let g = G[row * params.width + c];
    let x = X[j * params.width + c];
    if (DISTANCE == 1u) { sum += (g - x) * (g - x); } else { sum += g * x; }
  }
  return total(sum);
}

fn store(e: u32, last: u32, lane: u32, sum: f32) {
  if (e >= last || lane != 0u) { return; }
  if (DISTANCE == 1u) { out[e] = sqrt(sum / f32(params.cols)); } else { out[e] = sum; }
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let row = threadIndex(group, local) / 32u;
  let team = (local % 32u) / LANES;
  let lane = local % LANES;
  var first = 0u;
  var last = 0u;
  if (row < params.rows) {
    first = rowPtr[row];
    last = rowPtr[row + 1u];
  }
  if (local == 0u) { atomicStore(&longest, 0u); }
  workgroupBarrier();
  if (local % 32u == 0u) { atomicMax(&longest, last - first); }
  workgroupBarrier();
  if (local == 0u) { rounds = (atomicLoad(&longest) + 4u * TEAMS - 1u) / (4u * TEAMS); }
  let count = workgroupUniformLoad(&rounds); // the same for all threads, because all must call sumLanes together
  for (var round = 0u; round < count; round++) {
    let e = first + 4u * TEAMS * round + team;
    var parts = vec4f(0.0);
    if (e < last) {
      parts.x = partOf(row, e, last, lane);
      parts.y = partOf(row, e + TEAMS, last, lane);
      parts.z = partOf(row, e + 2u * TEAMS, last, lane);
      parts.w = partOf(row, e + 3u * TEAMS, last, lane);
    }
    store(e, last, lane, sumLanes(parts.x, local));
    store(e + TEAMS, last, lane, sumLanes(parts.y, local));
    store(e + 2u * TEAMS, last, lane, sumLanes(parts.z, local));
    store(e + 3u * TEAMS, last, lane, sumLanes(parts.w, local));
  }
}
