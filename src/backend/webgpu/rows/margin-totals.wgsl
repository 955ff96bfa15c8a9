// Adds up the sums of all workgroups of margins.wgsl: out_0 = factor · Σ tanh(margin), correct_0 = the number of
// correct rows.
// uses: threads
// params: length u32, factor f32
// writes: out f32, correct f32
// reads: sums vec2f

var<workgroup> values: array<vec2f, WORKGROUP>;
var<workgroup> strands: array<vec2f, 16>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(local_invocation_index) local: u32) {
  var value = vec2f(0.0);
  for (var e = local; e < params.length; e += WORKGROUP) { value += sums[e]; }
  values[local] = value;
  workgroupBarrier();
  if (local < 16u) {
    var part = vec2f(0.0);
    for (var t = 0u; t < 16u; t++) { part += values[16u * local + t]; }
    strands[local] = part;
  }
  workgroupBarrier();
  if (local > 0u) { return; }
  var total = vec2f(0.0);
  for (var s = 0u; s < 16u; s++) { total += strands[s]; }
  out[0] = params.factor * total.x;
  correct[0] = total.y;
}
