// LANES neighbouring threads share a row of a [rows, cols] matrix: each has every LANES-th column.
// uses: threads
// constants: LANES
// params: rows u32, cols u32

// The columns of a thread are begin, begin + LANES, … below end; behind the last row there are none. One thread of a row leads.
struct RowShare { row: u32, begin: u32, end: u32, leads: bool }

fn rowShare(group: Workgroup, local: u32) -> RowShare {
  let row = threadIndex(group, local) / LANES;
  let lane = local % LANES;
  let isThere = row < params.rows;
  return RowShare(row, lane, select(0u, params.cols, isThere), isThere && lane == 0u);
}
