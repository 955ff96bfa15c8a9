// The pairs that stay, in order: (index − t as two words, source, target) of kept pair t, and its weight. index − t is how many
// pairs that are not kept come before it. The first thread writes the plan of what is to be drawn beside them.
struct Params { length: u32, limit: u32, numNodes: u32, directed: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> kept: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> keptWeights: array<f32>;
@group(0) @binding(3) var<storage, read> selected: array<u32>;
@group(0) @binding(4) var<storage, read> positions: array<u32>;
@group(0) @binding(5) var<storage, read> sources: array<u32>;
@group(0) @binding(6) var<storage, read> targets: array<u32>;
@group(0) @binding(7) var<storage, read> weights: array<f32>;
@group(0) @binding(8) var<storage, read_write> plan: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let t = threadIndex(group, groups, local);
  if (t == 0u) { writePlan(selected[0]); }
  if (t >= params.limit || t >= selected[0]) { return; }
  let e = positions[t];
  let i = sources[e];
  let j = targets[e];
  let index = pairIndex(params.numNodes, params.directed, i, j);
  kept[t] = vec4u(sub64(index, vec2u(t, 0u)), i, j);
  keptWeights[t] = weights[e];
}
