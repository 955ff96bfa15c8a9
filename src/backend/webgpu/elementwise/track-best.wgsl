// chosen = 1 and best = score where the score is lower than the best so far, else chosen = 0.
// writes: chosen f32, best f32
// reads: score f32

@compute @workgroup_size(1)
fn main() {
  let better = score[0] < best[0];
  chosen[0] = select(0.0, 1.0, better);
  if (better) { best[0] = score[0]; }
}
