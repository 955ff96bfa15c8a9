// out = A ∘ B for one of the four operations, numbered as in elementwise.ts. T is f32 or vec4f.
// uses: threads
// constants: T, KIND
// params: length u32
// writes: out T
// reads: A T, B T

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let e = threadIndex(group, local);
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
