// Ranks the rows of each of several graphs side by side, the longest first, the lower one on ties: `places` has each
// row's place. At each place, `nodes` has the node of the graph, and `lengths` the number of entries of its row, or 1
// if none: a draw that does not fit may end before a row, and is refused later.
// uses: threads
// params: rows u32, numNodes u32
// writes: places u32, nodes u32, lengths u32
// reads: rowPtr u32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let row = threadIndex(group, local);
  if (row >= params.rows) { return; }
  let first = row - row % params.numNodes;
  let length = rowPtr[row + 1u] - rowPtr[row];
  var place = 0u;
  var begin = rowPtr[first];
  for (var other = first; other < first + params.numNodes; other++) { // threads read the same numbers
    let end = rowPtr[other + 1u];
    let isBefore = end - begin > length || (end - begin == length && other < row);
    place += select(0u, 1u, isBefore);
    begin = end;
  }
  places[row] = place;
  nodes[first + place] = row - first;
  lengths[first + place] = max(length, 1u);
}
