// Lists the further pieces of long rows (long-row.wgsl): the rows in any order, the pieces of a row in ascending order.
// uses: long-row, threads
// params: rows u32
// writes: pieces atomic<u32>
// reads: rowPtr u32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let i = threadIndex(group, local);
  if (i >= params.rows) { return; }
  let count = numPieces(rowPtr[i + 1u] - rowPtr[i]);
  if (count == 1u) { return; }
  let first = atomicAdd(&pieces[0], count - 1u);
  for (var number = 1u; number < count; number++) {
    let at = 2u * (first + number);
    atomicStore(&pieces[at], i);
    atomicStore(&pieces[at + 1u], number);
  }
}
