// Counts the entries that each row of a matrix will have. KIND 0: pair e, if its weight is above the floor, is an entry
// of row source_e; 1: its mirror image is one of row target_e too; 2: every e is an entry of row source_e, except where
// source_e is 0xffffffff.
// uses: threads
// constants: KIND
// params: length u32, floor f32
// writes: counts atomic<u32>
// reads: sources u32, targets u32, weights f32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let e = threadIndex(group, local);
  if (e >= params.length) { return; }
  if (KIND == 2u && sources[e] == 0xffffffffu) { return; }
  if (KIND != 2u && !(weights[e] > params.floor)) { return; }
  atomicAdd(&counts[sources[e]], 1u);
  if (KIND == 1u) { atomicAdd(&counts[targets[e]], 1u); }
}
