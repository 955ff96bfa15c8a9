// Sorts the entries of each row by column: the place of an entry is the number of entries smaller than it. Of equal
// columns the smaller value comes first, so that the result does not depend on the order in which entries arrived.
// Columns before tops_row are already smaller than those from there on, so each side is sorted by itself. Rows are
// short; LANES threads share one.
// uses: threads
// constants: LANES, VALUED
// params: rows u32
// writes: sortedColumns u32, sortedValues f32
// reads: rowPtr u32, columns u32, entryValues f32, tops u32

// How many of the entries first … last − 1 have a smaller column, and how many the same one.
fn countUpTo(column: u32, first: u32, last: u32) -> vec2u {
  var smaller = vec4u(0u);
  var same = vec4u(0u);
  var other = first;
  for (; other + 8u <= last; other += 8u) { // eight loads in flight
    let low = vec4u(columns[other], columns[other + 1u], columns[other + 2u], columns[other + 3u]);
    let high = vec4u(columns[other + 4u], columns[other + 5u], columns[other + 6u], columns[other + 7u]);
    smaller += select(vec4u(0u), vec4u(1u), low < vec4u(column)) + select(vec4u(0u), vec4u(1u), high < vec4u(column));
    same += select(vec4u(0u), vec4u(1u), low == vec4u(column)) + select(vec4u(0u), vec4u(1u), high == vec4u(column));
  }
  for (; other < last; other++) {
    smaller.x += select(0u, 1u, columns[other] < column);
    same.x += select(0u, 1u, columns[other] == column);
  }
  return vec2u(smaller.x + smaller.y + smaller.z + smaller.w, same.x + same.y + same.z + same.w);
}

// How many of those with the same column come before entry e.
fn tiesBefore(e: u32, first: u32, last: u32) -> u32 {
  var before = 0u;
  for (var other = first; other < last; other++) {
    if (columns[other] != columns[e]) { continue; }
    var isBefore = other < e;
    if (VALUED == 1u && entryValues[other] != entryValues[e]) { isBefore = entryValues[other] < entryValues[e]; }
    before += select(0u, 1u, isBefore);
  }
  return before;
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let row = threadIndex(group, local) / LANES;
  if (row >= params.rows) { return; }
  let top = tops[row];
  for (var e = rowPtr[row] + local % LANES; e < rowPtr[row + 1u]; e += LANES) {
    let first = select(top, rowPtr[row], e < top);
    let last = select(rowPtr[row + 1u], top, e < top);
    let counts = countUpTo(columns[e], first, last);
    var place = first + counts.x;
    if (counts.y > 1u) { place += tiesBefore(e, first, last); }
    sortedColumns[place] = columns[e];
    if (VALUED == 1u) { sortedValues[place] = entryValues[e]; }
  }
}
