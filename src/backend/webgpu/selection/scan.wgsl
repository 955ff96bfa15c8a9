// Exclusive prefix sums in place, in blocks of 1024, and copies of them: `blocks` adds up each block, `finish` scans
// each block, starting from the sum of all blocks before it. `copies` has all prefix sums but the last, then all but
// the first.
// uses: scan-workgroup, threads
// params: length u32, numBlocks u32
// writes: counts u32, blockSums u32, copies u32

const PER_THREAD = 4u;
const BLOCK = WORKGROUP * PER_THREAD;

fn threadSum(first: u32) -> u32 {
  var sum = 0u;
  for (var k = 0u; k < PER_THREAD; k++) {
    if (first + k < params.length) { sum += counts[first + k]; }
  }
  return sum;
}

@compute @workgroup_size(WORKGROUP)
fn blocks(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let block = groupIndex(group);
  _ = scanWorkgroup(threadSum(block * BLOCK + local * PER_THREAD), local);
  if (local == 0u && block < params.numBlocks) { blockSums[block] = scanTotal; }
}

@compute @workgroup_size(WORKGROUP)
fn finish(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let block = groupIndex(group);
  let first = block * BLOCK + local * PER_THREAD;
  var before = 0u;
  for (var b = local; b < min(block, params.numBlocks); b += WORKGROUP) { before += blockSums[b]; }
  _ = scanWorkgroup(before, local);
  let start = scanTotal;
  let inside = scanWorkgroup(threadSum(first), local);
  if (block >= params.numBlocks) { return; }
  var place = start + inside;
  for (var k = 0u; k < PER_THREAD; k++) {
    if (first + k < params.length) {
      let size = counts[first + k];
      counts[first + k] = place;
      if (first + k + 1u < params.length) { copies[first + k] = place; }
      if (first + k > 0u) { copies[params.length + first + k - 2u] = place; }
      place += size;
    }
  }
}
