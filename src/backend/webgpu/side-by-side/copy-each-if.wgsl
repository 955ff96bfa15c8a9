// Copies up to three matrices [rows, models·width], but only the columns of chosen models.
// uses: threads
// params: models u32, firstWidth u32, firstLength u32, secondWidth u32, secondLength u32, thirdWidth u32, thirdLength u32
// writes: firstTo f32, secondTo f32, thirdTo f32
// reads: chosen f32, firstFrom f32, secondFrom f32, thirdFrom f32

fn isChosen(e: u32, width: u32) -> bool { return chosen[(e / width) % params.models] > 0.0; }

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let e = threadIndex(group, local);
  if (e < params.firstLength && isChosen(e, params.firstWidth)) { firstTo[e] = firstFrom[e]; }
  if (e < params.secondLength && isChosen(e, params.secondWidth)) { secondTo[e] = secondFrom[e]; }
  if (e < params.thirdLength && isChosen(e, params.thirdWidth)) { thirdTo[e] = thirdFrom[e]; }
}
