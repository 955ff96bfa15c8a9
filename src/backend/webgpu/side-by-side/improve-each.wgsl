// chosen_g = 1 and best_g = score_g for each model g that is still learning and whose score is lower than its best so
// far; otherwise chosen_g = 0. A thread per model.
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
