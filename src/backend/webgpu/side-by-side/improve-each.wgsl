// For each model that is still learning: whether its score is lower than its best, which it becomes then. A thread per model.
// uses: threads
// params: models u32
// writes: chosen f32, best f32
// reads: score f32, learning f32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let g = threadIndex(group, local);
  if (g >= params.models) { return; }
  let isBetter = learning[g] > 0.0 && score[g] < best[g];
  chosen[g] = select(0.0, 1.0, isBetter);
  if (isBetter) { best[g] = score[g]; }
}
