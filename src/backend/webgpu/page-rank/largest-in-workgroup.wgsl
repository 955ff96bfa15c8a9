// The KEPT largest of NODES numbers that a workgroup shares, the lower node on ties, in ascending order of their nodes. All threads call these together.
// uses: order-key
// requires: valueAt(place, c), nodeAt(place), sumLanes(x, local)
// constants: KEPT, NODES, THREADS, LANES

const KEY_BITS = 32u;

// Everything above `key` is taken, and of what equals it the lowest `ties` nodes.
struct Threshold { key: u32, ties: u32 }

var<workgroup> counters: array<atomic<u32>, 3>; // this round's, that of the round before, and one that is cleared for the next
var<workgroup> equals: array<atomic<u32>, (NODES + 31u) / 32u>; // a bit for each node
var<workgroup> numTaken: atomic<u32>;
var<workgroup> takenEntries: array<u32, KEPT>; // node · 2^16 + place, in any order

fn keyAt(place: u32, c: u32) -> u32 { return orderKey(valueAt(place, c)); }

fn countFrom(key: u32, c: u32, local: u32) -> u32 {
  var count = 0u;
  for (var place = local; place < NODES; place += THREADS) { count += select(0u, 1u, keyAt(place, c) >= key); }
  return count;
}

// Bisects the keys until exactly KEPT are above a point, or nothing is left between two.
fn thresholdOf(c: u32, local: u32) -> Threshold {
  var low = 0u;
  var high = 0xffffffffu;
  var upper = 0u; // how many are `high` or above: KEPT at most
  if (local < 3u) { atomicStore(&counters[local], 0u); }
  workgroupBarrier();
  for (var round = 0u; round < KEY_BITS; round++) {
    let middle = low + (high - low) / 2u;
    let isOpen = high - low > 1u;
    var own = 0u;
    if (isOpen) { own = countFrom(middle, c, local); }
    let sum = sumLanes(f32(own), local);
    if (local % LANES == 0u) { atomicAdd(&counters[round % 3u], u32(sum)); }
    if (local == 0u) { atomicStore(&counters[(round + 1u) % 3u], 0u); }
    workgroupBarrier();
    let count = atomicLoad(&counters[round % 3u]);
    if (isOpen && count > KEPT) { low = middle; }
    if (isOpen && count <= KEPT) {
      high = middle;
      upper = count;
      low = select(low, middle - 1u, count == KEPT);
    }
  }
  return Threshold(low, KEPT - upper);
}

fn equalsBefore(node: u32) -> u32 {
  var count = 0u;
  for (var w = 0u; w < node / 32u; w++) { count += countOneBits(atomicLoad(&equals[w])); }
  return count + countOneBits(atomicLoad(&equals[node / 32u]) & ((1u << (node % 32u)) - 1u));
}

fn take(place: u32) { takenEntries[atomicAdd(&numTaken, 1u)] = (nodeAt(place) << 16u) | place; }

// Fills takenEntries.
fn takeLargest(c: u32, local: u32) {
  let threshold = thresholdOf(c, local);
  for (var w = local; w < (NODES + 31u) / 32u; w += THREADS) { atomicStore(&equals[w], 0u); }
  if (local == 0u) { atomicStore(&numTaken, 0u); }
  workgroupBarrier();
  for (var place = local; place < NODES; place += THREADS) {
    let key = keyAt(place, c);
    if (key > threshold.key) { take(place); }
    if (key == threshold.key && threshold.ties > 0u) {
      let node = nodeAt(place);
      atomicOr(&equals[node / 32u], 1u << (node % 32u));
    }
  }
  workgroupBarrier();
  if (threshold.ties > 0u) {
    for (var place = local; place < NODES; place += THREADS) {
      if (keyAt(place, c) == threshold.key && equalsBefore(nodeAt(place)) < threshold.ties) { take(place); }
    }
  }
  workgroupBarrier();
}

// How many taken entries have a lower node.
fn rankOf(entry: u32) -> u32 {
  var rank = 0u;
  for (var t = 0u; t < KEPT; t++) { rank += select(0u, 1u, takenEntries[t] < entry); }
  return rank;
}
