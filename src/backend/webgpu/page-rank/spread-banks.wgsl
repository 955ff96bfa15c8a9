// Reorders the neighbours in the words of each thread, in the slices of slice-rows.wgsl. Workgroup memory has banks, each of which gives one number at a time: BANKS threads
// gather together, and wait where they ask the same bank. So position by position, thread by thread, the next neighbour is the first whose bank nobody asks, or else whose
// bank only one thread asks. For noisy versions of Cora ML that leaves 2.1 rounds per position instead of 2.7, as counted on one of them. A thread here per BANKS threads there,
// whose words are called rows below.
// uses: threads
// constants: BANKS
// params: length u32, numSlices u32
// writes: slices u32
// reads: slicePtr u32

const SLICE = 32u;

// Neighbour t of the row whose words begin at `row`.
fn neighbourOf(row: u32, t: u32) -> u32 { return (slices[row + SLICE * (t / 2u)] >> (16u * (t % 2u))) & 0xffffu; }

fn putNeighbour(row: u32, t: u32, place: u32) {
  let word = row + SLICE * (t / 2u);
  let shift = 16u * (t % 2u);
  slices[word] = (slices[word] & ~(0xffffu << shift)) | (place << shift);
}

// Which of the neighbours from `first` on comes next, given bits of the banks that are asked, and of those that are asked twice.
fn nextOf(row: u32, first: u32, count: u32, asked: u32, askedTwice: u32) -> u32 {
  var second = count;
  for (var t = first; t < count; t++) {
    let bank = 1u << (neighbourOf(row, t) % BANKS);
    if ((asked & bank) == 0u) { return t; }
    if (second == count && (askedTwice & bank) == 0u) { second = t; }
  }
  return select(second, first, second == count);
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let index = threadIndex(group, local);
  if (index >= params.length) { return; }
  let slice = index * BANKS / SLICE; // of all graphs
  let at = slice + slice / params.numSlices; // each graph has one more pointer than slices
  let firstRow = slicePtr[at] + index * BANKS % SLICE;
  let count = 2u * ((slicePtr[at + 1u] - slicePtr[at]) / SLICE);
  for (var t = 0u; t < count; t++) {
    var asked = 0u;
    var askedTwice = 0u;
    for (var row = firstRow; row < firstRow + BANKS; row++) {
      let chosen = nextOf(row, t, count, asked, askedTwice);
      let place = neighbourOf(row, chosen);
      putNeighbour(row, chosen, neighbourOf(row, t));
      putNeighbour(row, t, place);
      let bank = 1u << (place % BANKS);
      askedTwice |= asked & bank;
      asked |= bank;
    }
  }
}
