// Measures what reading rows costs: LANES threads add up PER_GROUP rows that `index` names and write one vec4 each.
// uses: threads
// constants: LANES, PER_GROUP
// params: length u32, cols u32
// writes: out vec4f
// reads: index u32, X vec4f

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let thread = threadIndex(group, local);
  let first = (thread / LANES) * PER_GROUP;
  var sum = vec4f(0.0);
  for (var t = first; t < min(first + PER_GROUP, params.length); t++) {
    for (var c = thread % LANES; c < params.cols; c += LANES) { sum += X[index[t] * params.cols + c]; }
  }
  out[thread] = sum;
}
