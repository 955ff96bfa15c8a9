// One step of Adam with L2 decay added to the gradient; rate and root carry the bias corrections. T is f32 or vec4f.
struct Params {
  length: u32, rate: f32, root: f32, weightDecay: f32, beta1: f32, rest1: f32, beta2: f32, rest2: f32, epsilon: f32
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> parameter: array<T>;
@group(0) @binding(2) var<storage, read_write> m: array<T>;
@group(0) @binding(3) var<storage, read_write> v: array<T>;
@group(0) @binding(4) var<storage, read> gradient: array<T>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let e = threadIndex(group, groups, local);
  if (e >= params.length) { return; }
  let w = parameter[e];
  let g = gradient[e] + params.weightDecay * w;
  let first = params.beta1 * m[e] + params.rest1 * g;
  let second = params.beta2 * v[e] + params.rest2 * g * g;
  m[e] = first;
  v[e] = second;
  parameter[e] = w - params.rate * first / (sqrt(second) * params.root + T(params.epsilon));
}
