// LANES neighbouring threads share a row of a [rows, cols] matrix: each takes every LANES-th column.
// uses: threads
// constants: LANES
// params: rows u32, cols u32

// The columns of a thread are begin, begin + LANES, … below end; past the last row there are none. `leads` is true for
// one thread of each row.
struct RowShare { row: u32, begin: u32, end: u32, leads: bool }

fn rowShare(group: Workgroup, local: u32) -> RowShare {
  let row = threadIndex(group, local) / LANES;
  let lane = local % LANES;
  let isThere = row < params.rows;
  return RowShare(row, lane, select(0u, params.cols, isThere), isThere && lane == 0u);
}
