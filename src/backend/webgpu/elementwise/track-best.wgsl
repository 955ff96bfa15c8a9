// chosen = 1 and best = score where the score is lower than the best so far, else chosen = 0.
struct Params { unused: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> chosen: array<f32>;
@group(0) @binding(2) var<storage, read_write> best: array<f32>;
@group(0) @binding(3) var<storage, read> score: array<f32>;

@compute @workgroup_size(1)
fn main() {
  let better = score[0] < best[0];
  chosen[0] = select(0.0, 1.0, better);
  if (better) { best[0] = score[0]; }
}
