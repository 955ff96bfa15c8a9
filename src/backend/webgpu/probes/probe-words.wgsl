// What random words cost: each thread makes four per step and adds up their leading bits, one sum for each of the four.
struct Params { steps: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let thread = threadIndex(group, groups, local);
  var ones = vec4u(0u);
  for (var step = 0u; step < params.steps; step++) { ones += philox(vec2u(1u, 2u), vec2u(thread, step)) >> vec4u(31u); }
  out[thread] = vec4f(ones);
}
