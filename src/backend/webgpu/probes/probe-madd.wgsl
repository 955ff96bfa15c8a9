// Measures what multiply-adds cost on values that stay in registers: s ← s·½ + ½ has the fixed point 1.
// uses: threads
// params: steps u32, half f32
// writes: out vec4f

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let h = vec4f(params.half);
  var a = h;
  var b = h * 0.5;
  var c = h * 0.25;
  var d = h * 0.125;
  for (var step = 0u; step < params.steps; step++) {
    a = fma(a, h, h);
    b = fma(b, h, h);
    c = fma(c, h, h);
    d = fma(d, h, h);
  }
  out[threadIndex(group, local)] = 0.25 * (a + b + c + d);
}
