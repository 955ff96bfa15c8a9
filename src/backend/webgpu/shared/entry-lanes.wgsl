// LANES neighbouring threads share a row of a sparse matrix in CSR: each takes every LANES-th entry.
// uses: threads
// constants: LANES
// params: rows u32
// reads: rowPtr u32

// The entries of a row are first … end − 1; this thread takes begin, begin + LANES, …. Past the last row there are
// none. `leads` is true for one thread of each row.
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
