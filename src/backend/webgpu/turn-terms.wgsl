// The terms of entries and the bits behind them, `panels` pairs of words, in another order and apart; a record of both takes whole
// vec4u, because what is far apart comes faster at once than in halves.
struct Params { entries: u32, panels: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> turned: array<vec2u>;
@group(0) @binding(2) var<storage, read_write> bits: array<vec2u>;
@group(0) @binding(3) var<storage, read> records: array<vec4u>;
@group(0) @binding(4) var<storage, read> order: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let e = threadIndex(group, groups, local);
  if (e >= params.entries) { return; }
  let place = min(order[e], params.entries - 1u); // behind the last entry of a matrix that the device has made, anything stands
  let first = place * (params.panels / 2u + 1u);
  let head = records[first];
  turned[e] = head.xy;
  bits[e * params.panels] = head.zw;
  for (var p = 1u; p < params.panels; p += 2u) {
    let more = records[first + (p + 1u) / 2u];
    bits[e * params.panels + p] = more.xy;
    if (p + 1u < params.panels) { bits[e * params.panels + p + 1u] = more.zw; }
  }
}
