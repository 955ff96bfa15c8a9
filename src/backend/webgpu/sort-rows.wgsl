// Puts the entries of each row in ascending order of their columns: an entry goes where as many are before it as are smaller.
// Of equal columns the smaller value comes first, so that the order in which entries arrived plays no part. Rows are short;
// LANES threads share one.
struct Params { rows: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> sortedColumns: array<u32>;
@group(0) @binding(2) var<storage, read_write> sortedValues: array<f32>;
@group(0) @binding(3) var<storage, read> rowPtr: array<u32>;
@group(0) @binding(4) var<storage, read> columns: array<u32>;
@group(0) @binding(5) var<storage, read> entryValues: array<f32>;

// 1 if entry `other` comes before entry e, of this column; entries that are no more are read as the last one, and count 0.
fn before(other: u32, last: u32, e: u32, column: u32, otherColumn: u32) -> u32 {
  var isBefore = otherColumn < column;
  if (otherColumn == column) {
    isBefore = other < e;
    if (VALUED == 1u && entryValues[min(other, last - 1u)] != entryValues[e]) {
      isBefore = entryValues[min(other, last - 1u)] < entryValues[e];
    }
  }
  return select(0u, 1u, isBefore && other < last);
}

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let row = threadIndex(group, groups, local) / LANES;
  if (row >= params.rows) { return; }
  let first = rowPtr[row];
  let last = rowPtr[row + 1u];
  for (var e = first + local % LANES; e < last; e += LANES) {
    let column = columns[e];
    var place = first;
    for (var other = first; other < last; other += 8u) { // eight are on their way from memory at a time
      let c0 = columns[other];
      let c1 = columns[min(other + 1u, last - 1u)];
      let c2 = columns[min(other + 2u, last - 1u)];
      let c3 = columns[min(other + 3u, last - 1u)];
      let c4 = columns[min(other + 4u, last - 1u)];
      let c5 = columns[min(other + 5u, last - 1u)];
      let c6 = columns[min(other + 6u, last - 1u)];
      let c7 = columns[min(other + 7u, last - 1u)];
      place += before(other, last, e, column, c0) + before(other + 1u, last, e, column, c1);
      place += before(other + 2u, last, e, column, c2) + before(other + 3u, last, e, column, c3);
      place += before(other + 4u, last, e, column, c4) + before(other + 5u, last, e, column, c5);
      place += before(other + 6u, last, e, column, c6) + before(other + 7u, last, e, column, c7);
    }
    sortedColumns[place] = column;
    if (VALUED == 1u) { sortedValues[place] = entryValues[e]; }
  }
}
