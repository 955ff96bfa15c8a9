// Puts the entries that group-count.wgsl counted into their rows, in any order. next_i is where row i goes on; of mirrored pairs the
// entries behind the diagonal come from the end of the row, which next_{rows + i} says.
struct Params { length: u32, floor: f32, rows: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> next: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read> sources: array<u32>;
@group(0) @binding(3) var<storage, read> targets: array<u32>;
@group(0) @binding(4) var<storage, read> weights: array<f32>;
@group(0) @binding(5) var<storage, read> signs: array<f32>;
@group(0) @binding(6) var<storage, read_write> columns: array<u32>;
@group(0) @binding(7) var<storage, read_write> entryValues: array<f32>;

fn add(row: u32, column: u32, value: f32) {
  var at = 0u;
  if (KIND == 1u && column > row) {
    at = atomicSub(&next[params.rows + row], 1u) - 1u;
  } else {
    at = atomicAdd(&next[row], 1u);
  }
  columns[at] = column;
  entryValues[at] = value;
}

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let e = threadIndex(group, groups, local);
  if (e >= params.length) { return; }
  if (KIND == 2u) {
    if (sources[e] != 0xffffffffu) { columns[atomicAdd(&next[sources[e]], 1u)] = e; }
    return;
  }
  let weight = weights[e];
  if (!(weight > params.floor)) { return; }
  let value = signs[e] * weight;
  let i = sources[e];
  let j = targets[e];
  add(i, j, value);
  if (KIND == 1u) { add(j, i, value); }
}
