// How many entries each row of a matrix will have. KIND 0: pair e is an entry of row source_e; 1: of row target_e too, as
// its mirror image; 2: every e is an entry of row source_e, but for sources of all ones.
struct Params { length: u32, floor: f32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read> sources: array<u32>;
@group(0) @binding(3) var<storage, read> targets: array<u32>;
@group(0) @binding(4) var<storage, read> weights: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let e = threadIndex(group, groups, local);
  if (e >= params.length) { return; }
  if (KIND == 2u && sources[e] == 0xffffffffu) { return; }
  if (KIND != 2u && !(weights[e] > params.floor)) { return; }
  atomicAdd(&counts[sources[e]], 1u);
  if (KIND == 1u) { atomicAdd(&counts[targets[e]], 1u); }
}
