// One step of Adam with L2 decay added to the gradient; rate and root carry the bias corrections. T is f32 or vec4f.
// uses: threads
// constants: T
// params: length u32, rate f32, root f32, weightDecay f32, beta1 f32, rest1 f32, beta2 f32, rest2 f32, epsilon f32
// writes: parameter T, m T, v T
// reads: gradient T

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let e = threadIndex(group, local);
  if (e >= params.length) { return; }
  let w = parameter[e];
  let g = gradient[e] + params.weightDecay * w;
  let first = params.beta1 * m[e] + params.rest1 * g;
  let second = params.beta2 * v[e] + params.rest2 * g * g;
  m[e] = first;
  v[e] = second;
  parameter[e] = w - params.rate * first / (sqrt(second) * params.root + T(params.epsilon));
}
