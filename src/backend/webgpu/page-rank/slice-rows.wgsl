// Neighbours in slices of 32 rows, which are nearly equally long in the order of rank-rows.wgsl, for threads that take a row each: a word has two
// neighbours of a row, by their places, and the words of the 32 rows alternate, so that they are read together. Behind the last neighbour of a row comes the place
// numNodes, where no node is. A workgroup per graph, whose words begin where there is room for all before it: `spare` more per graph than half its entries.
// uses: scan-workgroup, threads
// params: numNodes u32, numSlices u32, spare u32
// writes: slicePtr u32, slices u32
// reads: rowPtr u32, colIdx u32, places u32, nodes u32

const SLICE = 32u;

// Words of each row of a slice: its first row is the longest.
fn wordsOf(first: u32, slice: u32) -> u32 {
  let row = first + nodes[first + SLICE * slice];
  return (rowPtr[row + 1u] - rowPtr[row] + 1u) / 2u;
}

fn placeOf(e: u32, last: u32) -> u32 {
  if (e >= last) { return params.numNodes; }
  return places[colIdx[e]];
}

fn fill(first: u32, place: u32, slice: u32) {
  var e = 0u;
  var last = 0u;
  if (place < params.numNodes) {
    let row = first + nodes[first + place];
    e = rowPtr[row];
    last = rowPtr[row + 1u];
  }
  for (var word = slicePtr[slice] + place % SLICE; word < slicePtr[slice + 1u]; word += SLICE) {
    slices[word] = placeOf(e, last) | (placeOf(e + 1u, last) << 16u);
    e += 2u;
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let graph = groupIndex(group);
  let first = graph * params.numNodes;
  let firstSlice = graph * (params.numSlices + 1u);
  var begin = rowPtr[first] / 2u + graph * params.spare;
  for (var s = 0u; s < params.numSlices; s += WORKGROUP) {
    let slice = s + local;
    var words = 0u;
    if (slice < params.numSlices) { words = SLICE * wordsOf(first, slice); }
    let before = scanWorkgroup(words, local);
    if (slice < params.numSlices) { slicePtr[firstSlice + slice] = begin + before; }
    begin += scanTotal;
  }
  if (local == 0u) { slicePtr[firstSlice + params.numSlices] = begin; }
  storageBarrier();
  for (var place = local; place < SLICE * params.numSlices; place += WORKGROUP) { fill(first, place, firstSlice + place / SLICE); }
}
