// Rows have room for `width` entries each; those above 0 come first. `count` writes how many those are, `pack` puts
// them next to each other, with LANES threads per row. Rows from `rows` on have none.
// uses: threads
// constants: LANES
// params: rows u32, allRows u32, width u32
// writes: counts u32, packedColumns u32, packedValues f32
// reads: rowPtr u32, columns u32, entryValues f32

@compute @workgroup_size(WORKGROUP)
fn count(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let row = threadIndex(group, local);
  if (row > params.allRows) { return; }
  var size = 0u;
  if (row < params.rows) { // binary search
    var end = params.width;
    while (size < end) {
      let middle = (size + end) / 2u;
      if (entryValues[row * params.width + middle] > 0.0) { size = middle + 1u; } else { end = middle; }
    }
  }
  counts[row] = size;
}

@compute @workgroup_size(WORKGROUP)
fn pack(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let row = threadIndex(group, local) / LANES;
  if (row >= params.rows) { return; }
  let begin = rowPtr[row];
  let size = rowPtr[row + 1u] - begin;
  for (var t = local % LANES; t < size; t += LANES) {
    packedColumns[begin + t] = columns[row * params.width + t];
    packedValues[begin + t] = entryValues[row * params.width + t];
  }
}
