// One number per workgroup from a fixed chunk: Σ A·B (KIND 0), Σ A (1), max A (2) or the number of equal elements (3).
// uses: threads
// constants: T, KIND
// params: length u32, chunk u32, lowest f32
// writes: parts f32
// reads: A T, B T

var<workgroup> values: array<f32, WORKGROUP>;
var<workgroup> strands: array<f32, 16>;

fn combine(a: f32, b: f32) -> f32 {
  if (KIND == 2u) { return max(a, b); }
  return a + b;
}

fn item(e: u32) -> f32 {
  switch KIND {
    case 0u: { return f32(A[e]) * f32(B[e]); }
    case 3u: { return select(0.0, 1.0, A[e] == B[e]); }
    default: { return f32(A[e]); }
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let index = groupIndex(group);
  let end = min(params.length, (index + 1u) * params.chunk);
  var value = select(0.0, params.lowest, KIND == 2u);
  for (var e = index * params.chunk + local; e < end; e += WORKGROUP) { value = combine(value, item(e)); }
  values[local] = value;
  workgroupBarrier();
  if (local < 16u) {
    var part = values[16u * local];
    for (var t = 1u; t < 16u; t++) { part = combine(part, values[16u * local + t]); }
    strands[local] = part;
  }
  workgroupBarrier();
  if (local == 0u && index * params.chunk < max(params.length, 1u)) {
    var total = strands[0];
    for (var s = 1u; s < 16u; s++) { total = combine(total, strands[s]); }
    parts[index] = total;
  }
}
