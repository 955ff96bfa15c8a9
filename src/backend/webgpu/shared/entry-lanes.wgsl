// LANES neighbouring threads share a row of a sparse matrix in CSR: each has every LANES-th entry.
// uses: threads
// constants: LANES
// params: rows u32
// reads: rowPtr u32

// A row has the entries from first up to end, a thread of it begin, begin + LANES, …; behind the last row there are none. One
// thread of a row leads.
struct EntryShare { row: u32, first: u32, begin: u32, end: u32, leads: bool }

fn entryShare(group: Workgroup, local: u32) -> EntryShare {
  let row = threadIndex(group, local) / LANES;
  let lane = local % LANES;
  var first = 0u;
  var end = 0u;
  if (row < params.rows) {
    first = rowPtr[row];
    end = rowPtr[row + 1u];
  }
  return EntryShare(row, first, first + lane, end, row < params.rows && lane == 0u);
}
