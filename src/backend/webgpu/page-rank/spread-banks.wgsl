// Reorders the neighbours in the words of each thread, in the slices of slice-rows.wgsl, to avoid bank conflicts. A
// bank of workgroup memory gives one number at a time: BANKS threads gather together, and wait if they ask the same
// bank for different numbers. So for each position, thread by thread, this chooses the next neighbour: one whose bank
// nobody asks for another number, or else one whose bank is asked once; among those, one whose bank has the most
// neighbours left. For noisy versions of Cora ML that leaves 1.9 rounds per position instead of 2.7, as counted on one
// of them. A thread here handles BANKS threads of largest-page-rank.wgsl; the words of one of those are called a row
// below.
// uses: threads
// constants: BANKS
// params: length u32, numSlices u32, numNodes u32
// writes: slices u32
// reads: slicePtr u32

const SLICE = 32u;
const MORE = 1u << 20u; // more than there are neighbours in a bank
const CHOICE = 32u; // neighbours to choose from: the time for a row grows with its length, not with its square

// Neighbour t of the row whose words begin at `row`.
fn neighbourOf(row: u32, t: u32) -> u32 { return (slices[row + SLICE * (t / 2u)] >> (16u * (t % 2u))) & 0xffffu; }

fn putNeighbour(row: u32, t: u32, place: u32) {
  let word = row + SLICE * (t / 2u);
  let shift = 16u * (t % 2u);
  slices[word] = (slices[word] & ~(0xffffu << shift)) | (place << shift);
}

// Per bank: how many neighbours are left in it, how often it is asked at this position, and for which place last.
var<private> left: array<u32, BANKS>;
var<private> asked: array<u32, BANKS>;
var<private> latest: array<u32, BANKS>;

fn countLeft(firstRow: u32, count: u32) {
  left = array<u32, BANKS>();
  for (var row = firstRow; row < firstRow + BANKS; row++) {
    for (var t = 0u; t < count; t++) {
      let place = neighbourOf(row, t);
      if (place < params.numNodes) { left[place % BANKS]++; }
    }
  }
}

// The neighbour with the largest number comes next. What stands for no neighbour comes right after banks that are asked
// once, and before those asked more often.
fn urgencyOf(place: u32) -> u32 {
  if (place == params.numNodes) { return MORE; }
  let bank = place % BANKS;
  if (latest[bank] == place) { return 2u * MORE + left[bank]; }
  return (2u - min(asked[bank], 2u)) * MORE + left[bank];
}

// Which of the neighbours from `first` on comes next.
fn nextOf(row: u32, first: u32, count: u32) -> u32 {
  var next = first;
  var most = 0u;
  for (var t = first; t < min(count, first + CHOICE); t++) {
    let urgency = urgencyOf(neighbourOf(row, t));
    if (urgency > most) {
      most = urgency;
      next = t;
    }
  }
  return next;
}

fn ask(place: u32) {
  if (place == params.numNodes) { return; }
  let bank = place % BANKS;
  left[bank]--;
  if (latest[bank] != place) { asked[bank]++; }
  latest[bank] = place;
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let index = threadIndex(group, local);
  if (index >= params.length) { return; }
  let slice = index * BANKS / SLICE; // of all graphs
  let at = slice + slice / params.numSlices; // each graph has one more pointer than slices
  let firstRow = slicePtr[at] + index * BANKS % SLICE;
  let count = 2u * ((slicePtr[at + 1u] - slicePtr[at]) / SLICE);
  countLeft(firstRow, count);
  for (var t = 0u; t < count; t++) {
    for (var bank = 0u; bank < BANKS; bank++) {
      asked[bank] = 0u;
      latest[bank] = params.numNodes;
    }
    for (var row = firstRow; row < firstRow + BANKS; row++) {
      let chosen = nextOf(row, t, count);
      let place = neighbourOf(row, chosen);
      putNeighbour(row, chosen, neighbourOf(row, t));
      putNeighbour(row, t, place);
      ask(place);
    }
  }
}
