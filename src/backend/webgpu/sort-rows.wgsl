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

fn comesBefore(other: u32, e: u32) -> bool {
  if (columns[other] != columns[e]) { return columns[other] < columns[e]; }
  if (VALUED == 1u && entryValues[other] != entryValues[e]) { return entryValues[other] < entryValues[e]; }
  return other < e;
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
    var place = first;
    for (var other = first; other < last; other++) { place += select(0u, 1u, comesBefore(other, e)); }
    sortedColumns[place] = columns[e];
    if (VALUED == 1u) { sortedValues[place] = entryValues[e]; }
  }
}
