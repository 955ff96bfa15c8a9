// Stores the neighbours of each row, other than the row itself, in the order in which the warps of
// largest-page-rank.wgsl gather them; row-slots.wgsl says which rows a warp takes in which round. A word has the places
// of two neighbours of a row. The words of the 32 threads of a warp alternate, so that they are read together. In a
// round, all threads of a warp have as many words as the one with most: what follows a row's last neighbour is the
// place numNodes, where no node is. A workgroup per graph; its words begin after the room of all graphs before it (half
// as many words as entries, and `spare` per graph), at a multiple of 32, so that a warp reads one line of the cache at
// once.
// uses: scan-workgroup, threads, row-slots
// constants: THREADS, LANES, ROWS, LONG
// params: numNodes u32, spare u32
// writes: slicePtr u32, slices u32, longRows u32
// reads: rowPtr u32, colIdx u32, places u32, nodes u32

const SLICES = WARPS * ROUNDS;

var<workgroup> numLong: atomic<u32>;

fn rowAt(first: u32, place: u32) -> u32 { return first + nodes[first + place]; }

// Words of a row, two neighbours in each: its entries without its own node.
fn wordsOf(row: u32) -> u32 { return (rowPtr[row + 1u] - rowPtr[row]) / 2u; }

// At most one long row per thread that can own it: any others are treated as short rows, which only takes longer.
fn countLong(first: u32, local: u32) -> u32 {
  if (local == 0u) { atomicStore(&numLong, 0u); }
  workgroupBarrier();
  for (var row = first + local; row < first + params.numNodes; row += WORKGROUP) {
    if (rowPtr[row + 1u] - rowPtr[row] > LONG) { atomicAdd(&numLong, 1u); }
  }
  workgroupBarrier();
  return min(atomicLoad(&numLong), THREADS);
}

// What a thread of largest-page-rank.wgsl takes in a round: words `begin`, `begin + step`, … of a row, if there is one.
struct Share { place: u32, begin: u32, step: u32, isThere: bool }

fn shareOf(slice: u32, lane: u32, long: u32) -> Share {
  let round = slice % ROUNDS;
  let thread = slice / ROUNDS * WARP + lane;
  if (round < LANES) {
    let place = longPlace(round, thread);
    return Share(place, thread % LANES, LANES, place < long);
  }
  let place = shortPlace(long, round - LANES, thread);
  return Share(place, 0u, 1u, place < params.numNodes);
}

// The most that a thread of the warp has: the first thread has the longest row, and the first words of it.
fn wordsPerThread(first: u32, slice: u32, long: u32) -> u32 {
  let share = shareOf(slice, 0u, long);
  if (!share.isThere) { return 0u; }
  return (wordsOf(rowAt(first, share.place)) + share.step - 1u) / share.step;
}

// The place of neighbour t of a row. Columns ascend, so that from the row's own column on, neighbour t is entry t + 1.
// A row of a draw that does not fit may lack its own column.
fn placeOf(row: u32, t: u32) -> u32 {
  let e = rowPtr[row] + t;
  if (e + 1u >= rowPtr[row + 1u]) { return params.numNodes; }
  return places[colIdx[select(e, e + 1u, colIdx[e] >= row)]];
}

fn fill(first: u32, slice: u32, at: u32, lane: u32, long: u32) {
  let share = shareOf(slice, lane, long);
  var t = 2u * share.begin;
  for (var word = slicePtr[at] + lane; word < slicePtr[at + 1u]; word += WARP) {
    slices[word] = params.numNodes * 0x10001u;
    if (share.isThere) {
      let row = rowAt(first, share.place);
      slices[word] = placeOf(row, t) | (placeOf(row, t + 1u) << 16u);
    }
    t += 2u * share.step;
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let graph = groupIndex(group);
  let first = graph * params.numNodes;
  let firstSlice = graph * (SLICES + 1u);
  let long = countLong(first, local);
  if (local == 0u) { longRows[graph] = long; }
  var begin = (rowPtr[first] / 2u + WARP - 1u) / WARP * WARP + graph * params.spare;
  for (var s = 0u; s < SLICES; s += WORKGROUP) {
    let slice = s + local;
    var words = 0u;
    if (slice < SLICES) { words = WARP * wordsPerThread(first, slice, long); }
    let before = scanWorkgroup(words, local);
    if (slice < SLICES) { slicePtr[firstSlice + slice] = begin + before; }
    begin += scanTotal;
  }
  if (local == 0u) { slicePtr[firstSlice + SLICES] = begin; }
  storageBarrier();
  for (var thread = local; thread < WARP * SLICES; thread += WORKGROUP) {
    fill(first, thread / WARP, firstSlice + thread / WARP, thread % WARP, long);
  }
}
