// Cuts rows off at `capacity`, where the room for entries ends. most_0 becomes the larger of itself and the uncut
// number of entries.
// uses: threads
// params: rows u32, capacity u32
// writes: rowPtr u32, tops u32, most u32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let row = threadIndex(group, local);
  if (row > params.rows) { return; }
  let begin = rowPtr[row];
  if (row == params.rows) { most[0] = max(most[0], begin); }
  if (begin > params.capacity) { rowPtr[row] = params.capacity; }
  if (row < params.rows) { tops[row] = min(tops[row], params.capacity); }
}
