// Puts the entries that group-count.wgsl counted into their rows, in any order; next_i is where row i goes on.
struct Params { length: u32, floor: f32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> next: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read> sources: array<u32>;
@group(0) @binding(3) var<storage, read> targets: array<u32>;
@group(0) @binding(4) var<storage, read> weights: array<f32>;
@group(0) @binding(5) var<storage, read> signs: array<f32>;
@group(0) @binding(6) var<storage, read_write> columns: array<u32>;
@group(0) @binding(7) var<storage, read_write> entryValues: array<f32>;

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
  let at = atomicAdd(&next[i], 1u);
  columns[at] = j;
  entryValues[at] = value;
  if (KIND == 1u) {
    let mirrored = atomicAdd(&next[j], 1u);
    columns[mirrored] = i;
    entryValues[mirrored] = value;
  }
}
