// Column of the largest entry of each row, the first on ties; column exclude_i is skipped where EXCLUDE is 1.
// uses: largest-column, row-lanes, threads
// constants: EXCLUDE
// params: rows u32
// writes: out i32
// reads: exclude u32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let share = rowShare(group, local);
  var skipped = NONE;
  if (EXCLUDE == 1u && share.row < params.rows) { skipped = exclude[share.row]; }
  let largest = largestBut(skipped, share, local);
  if (share.leads) { out[share.row] = bitcast<i32>(largest.column); } // NONE is −1
}
