// Writes the entries of A, all of them 1, and of B row by row: column j and the bits of weight · scale_j. LANES threads
// per row.
// uses: threads
// constants: LANES
// params: rows u32
// writes: merged vec2u
// reads: rowPtr u32, colIdx u32, pairPtr u32, pairIdx u32, pairValues f32, scale f32

fn put(at: u32, j: u32, weight: f32, isThere: bool) {
  if (isThere) { merged[at] = vec2u(j, bitcast<u32>(weight)); }
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let row = threadIndex(group, local) / LANES;
  if (row >= params.rows) { return; }
  let lane = local % LANES;
  let first = rowPtr[row];
  let last = rowPtr[row + 1u];
  let firstPair = pairPtr[row];
  let lastPair = pairPtr[row + 1u];
  for (var e = first + lane; e < last; e += 4u * LANES) { // four loads in flight
    let top = last - 1u;
    let j0 = colIdx[e];
    let j1 = colIdx[min(e + LANES, top)];
    let j2 = colIdx[min(e + 2u * LANES, top)];
    let j3 = colIdx[min(e + 3u * LANES, top)];
    let s0 = scale[j0];
    let s1 = scale[j1];
    let s2 = scale[j2];
    let s3 = scale[j3];
    put(firstPair + e, j0, s0, true);
    put(firstPair + e + LANES, j1, s1, e + LANES < last);
    put(firstPair + e + 2u * LANES, j2, s2, e + 2u * LANES < last);
    put(firstPair + e + 3u * LANES, j3, s3, e + 3u * LANES < last);
  }
  for (var e = firstPair + lane; e < lastPair; e += LANES) {
    let j = pairIdx[e];
    put(last + e, j, pairValues[e] * scale[j], true);
  }
}
