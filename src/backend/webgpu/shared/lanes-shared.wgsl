// Sums and extremes over LANES neighbouring threads (any number) through workgroup memory, for devices without
// subgroups. All threads of the workgroup must call these together.
// uses: threads
// constants: LANES

var<workgroup> shared_: array<u32, WORKGROUP>;

fn share(x: u32, local: u32) -> u32 {
  workgroupBarrier();
  shared_[local] = x;
  workgroupBarrier();
  return local - local % LANES;
}

fn sumLanes(x: f32, local: u32) -> f32 {
  let first = share(bitcast<u32>(x), local);
  var sum = 0.0;
  if (LANES % 4u > 0u) {
    for (var t = first; t < first + LANES; t++) { sum += bitcast<f32>(shared_[t]); }
    return sum;
  }
  for (var t = first; t < first + LANES; t += 4u) { // by fours: fewer roundings one after the other
    let low = bitcast<f32>(shared_[t]) + bitcast<f32>(shared_[t + 1u]);
    sum += low + (bitcast<f32>(shared_[t + 2u]) + bitcast<f32>(shared_[t + 3u]));
  }
  return sum;
}

// Four sums over a multiple of four threads: the threads of quarter q get the sum of x_q.
fn sumFour(x: vec4f, local: u32) -> f32 {
  let sums = vec4f(sumLanes(x.x, local), sumLanes(x.y, local), sumLanes(x.z, local), sumLanes(x.w, local));
  return sums[local % LANES / max(LANES / 4u, 1u) % 4u];
}

fn maxLanes(x: f32, local: u32) -> f32 {
  let first = share(bitcast<u32>(x), local);
  var top = x;
  for (var t = first; t < first + LANES; t++) { top = max(top, bitcast<f32>(shared_[t])); }
  return top;
}

fn minLanes(x: u32, local: u32) -> u32 {
  let first = share(x, local);
  var least = x;
  for (var t = first; t < first + LANES; t++) { least = min(least, shared_[t]); }
  return least;
}
