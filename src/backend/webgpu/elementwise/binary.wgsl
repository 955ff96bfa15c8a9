// out = A ∘ B for one of the four operations, numbered as in elementwise.ts. T is f32 or vec4f.
struct Params { length: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<T>;
@group(0) @binding(2) var<storage, read> A: array<T>;
@group(0) @binding(3) var<storage, read> B: array<T>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let e = threadIndex(group, groups, local);
  if (e >= params.length) { return; }
  let a = A[e];
  let b = B[e];
  switch KIND {
    case 0u: { out[e] = a + b; }
    case 1u: { out[e] = a - b; }
    case 2u: { out[e] = a * b; }
    default: { out[e] = a / b; }
  }
}
