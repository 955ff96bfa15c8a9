// out_0 = factor · Σ X, by one workgroup.
struct Params { length: u32, factor: f32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<storage, read> X: array<f32>;

var<workgroup> values: array<f32, WORKGROUP>;
var<workgroup> strands: array<f32, 16>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(local_invocation_index) local: u32) {
  var value = 0.0;
  for (var e = local; e < params.length; e += WORKGROUP) { value += X[e]; }
  values[local] = value;
  workgroupBarrier();
  if (local < 16u) {
    var part = 0.0;
    for (var t = 0u; t < 16u; t++) { part += values[16u * local + t]; }
    strands[local] = part;
  }
  workgroupBarrier();
  if (local > 0u) { return; }
  var total = 0.0;
  for (var s = 0u; s < 16u; s++) { total += strands[s]; }
  out[0] = params.factor * total;
}
