// What reading rows costs: LANES threads add up the rows that `index` names, PER_GROUP of them, and write one vec4 each.
struct Params { length: u32, cols: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<vec4f>;
@group(0) @binding(2) var<storage, read> index: array<u32>;
@group(0) @binding(3) var<storage, read> X: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let thread = threadIndex(group, groups, local);
  let first = (thread / LANES) * PER_GROUP;
  var sum = vec4f(0.0);
  for (var t = first; t < min(first + PER_GROUP, params.length); t++) {
    for (var c = thread % LANES; c < params.cols; c += LANES) { sum += X[index[t] * params.cols + c]; }
  }
  out[thread] = sum;
}
