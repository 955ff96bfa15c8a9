// Writes the kept pairs in order: (index − t as two words, source, target) of kept pair t, and its weight. index − t is
// the number of pairs before it that are not kept. The first thread also plans the other draws.
// uses: draw-plan, pair-index, threads, u64
// params: limit u32, numNodes u32, directed u32
// writes: kept vec4u, keptWeights f32
// reads: selected u32, positions u32, sources u32, targets u32, weights f32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let t = threadIndex(group, local);
  if (t == 0u) { writePlan(selected[0]); }
  if (t >= params.limit || t >= selected[0]) { return; }
  let e = positions[t];
  let i = sources[e];
  let j = targets[e];
  let index = pairIndex(params.numNodes, params.directed, i, j);
  kept[t] = vec4u(sub64(index, vec2u(t, 0u)), i, j);
  keptWeights[t] = weights[e];
}
