// Measures what random words cost: each thread makes four per step and adds up the leading bit of each, in four sums.
// uses: philox, threads
// params: steps u32
// writes: out vec4f

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let thread = threadIndex(group, local);
  var ones = vec4u(0u);
  for (var step = 0u; step < params.steps; step++) { ones += philox(vec2u(1u, 2u), vec2u(thread, step)) >> vec4u(31u); }
  out[thread] = vec4f(ones);
}
