// The KEPT largest of NODES numbers in each of the columns that a workgroup shares, the lower node on ties, in
// ascending order of their nodes. All threads must call these together.
// uses: order-key
// requires: Columns, COLUMNS, columnOf(x, c), columnsAt(place), nodeAt(place), sumLanes(x, local)
// constants: KEPT, NODES, THREADS, LANES

// The bounds of the search in a column: `upper` keys, at most KEPT, are `high` or above, and more than KEPT are `low`
// or above. `low` begins at 0; once exactly KEPT keys are `high` or above, it is `high` − 1, which ends the search.
struct Bounds { low: u32, high: u32, upper: u32 }
alias Search = array<Bounds, COLUMNS>;

// Counts of two columns share a word, the first column in the lower bits. A team counts less than 2^12 per column, so
// that floats add both exactly.
const TEAM_BITS = 12u;
const COUNT_BITS = 16u;

var<workgroup> search: Search;
var<workgroup> counters: array<atomic<u32>, 3>;
var<workgroup> equals: array<atomic<u32>, (NODES + 31u) / 32u>; // a bit for each node
var<workgroup> numTaken: array<atomic<u32>, COLUMNS>;
var<workgroup> takenEntries: array<u32, COLUMNS * KEPT>; // node · 2^16 + place, in any order

fn isOpen(bounds: Bounds) -> bool { return bounds.high - bounds.low > 1u; }

fn anyOpen(all: Search) -> bool {
  var open = false;
  for (var c = 0u; c < COLUMNS; c++) { open = open || isOpen(all[c]); }
  return open;
}

// Three keys that divide the interval between the bounds into four.
fn pivotsOf(bounds: Bounds) -> vec3u {
  let width = bounds.high - bounds.low;
  let half = width / 2u;
  return bounds.low + vec3u(max(half / 2u, 1u), max(half, 1u), max(half + (width - half) / 2u, 1u));
}

fn keyAt(place: u32, c: u32) -> u32 { return orderKey(columnOf(columnsAt(place), c)); }

// For each pivot, how many keys of this thread are equal or above. Compares keys rather than floats, because a device
// may take the smallest floats for zeros.
fn countAbove(all: Search, local: u32) -> vec3u {
  var pivots: array<vec3u, COLUMNS>;
  for (var c = 0u; c < COLUMNS; c++) { pivots[c] = pivotsOf(all[c]); }
  var counts = vec3u();
  for (var place = local; place < NODES; place += THREADS) {
    let x = columnsAt(place);
    for (var c = 0u; c < COLUMNS; c++) {
      counts += select(vec3u(), vec3u(1u << (TEAM_BITS * c)), vec3u(orderKey(columnOf(x, c))) >= pivots[c]);
    }
  }
  return counts;
}

// The counts of a team, moved to the bits that they have in a counter.
fn widened(sum: f32) -> u32 {
  let count = u32(sum);
  return (count & ((1u << TEAM_BITS) - 1u)) | ((count >> TEAM_BITS) << COUNT_BITS);
}

fn addCounts(counts: vec3u, local: u32) {
  let x = widened(sumLanes(f32(counts.x), local));
  let y = widened(sumLanes(f32(counts.y), local));
  let z = widened(sumLanes(f32(counts.z), local));
  if (local % LANES > 0u) { return; }
  atomicAdd(&counters[0], x);
  atomicAdd(&counters[1], y);
  atomicAdd(&counters[2], z);
}

// The bounds once it is known that `count` keys are `key` or above.
fn narrowed(bounds: Bounds, key: u32, count: u32) -> Bounds {
  if (key <= bounds.low || key >= bounds.high) { return bounds; }
  if (count > KEPT) { return Bounds(key, bounds.high, bounds.upper); }
  return Bounds(select(bounds.low, key - 1u, count == KEPT), key, count);
}

fn narrow(c: u32) {
  let pivots = pivotsOf(search[c]);
  var bounds = search[c];
  for (var p = 0u; p < 3u; p++) {
    let count = (atomicLoad(&counters[p]) >> (COUNT_BITS * c)) & ((1u << COUNT_BITS) - 1u);
    bounds = narrowed(bounds, pivots[p], count);
  }
  search[c] = bounds;
}

// Narrows the bounds of all columns until exactly KEPT keys are above `low`, or no key is left between `low` and
// `high`. Then all keys above `low` are to be taken and, of those equal to it, as many as are missing, lowest nodes
// first.
fn findBounds(local: u32) -> Search {
  if (local < COLUMNS) { search[local] = Bounds(0u, 0xffffffffu, 0u); }
  if (local < 3u) { atomicStore(&counters[local], 0u); }
  var known = workgroupUniformLoad(&search);
  while (anyOpen(known)) {
    addCounts(countAbove(known, local), local);
    workgroupBarrier();
    if (local < COLUMNS) { narrow(local); }
    workgroupBarrier();
    if (local < 3u) { atomicStore(&counters[local], 0u); }
    known = workgroupUniformLoad(&search);
  }
  return known;
}

// The check keeps writes within the KEPT places, whatever comparisons say.
fn take(place: u32, c: u32) {
  let t = atomicAdd(&numTaken[c], 1u);
  if (t < KEPT) { takenEntries[c * KEPT + t] = (nodeAt(place) << 16u) | place; }
}

fn equalsBefore(node: u32) -> u32 {
  var count = 0u;
  for (var w = 0u; w < node / 32u; w++) { count += countOneBits(atomicLoad(&equals[w])); }
  return count + countOneBits(atomicLoad(&equals[node / 32u]) & ((1u << (node % 32u)) - 1u));
}

// Takes the `ties` lowest of the nodes with this key.
fn takeEquals(key: u32, ties: u32, c: u32, local: u32) {
  workgroupBarrier();
  for (var w = local; w < (NODES + 31u) / 32u; w += THREADS) { atomicStore(&equals[w], 0u); }
  workgroupBarrier();
  for (var place = local; place < NODES; place += THREADS) {
    let node = nodeAt(place);
    if (keyAt(place, c) == key) { atomicOr(&equals[node / 32u], 1u << (node % 32u)); }
  }
  workgroupBarrier();
  for (var place = local; place < NODES; place += THREADS) {
    if (keyAt(place, c) == key && equalsBefore(nodeAt(place)) < ties) { take(place, c); }
  }
}

// Fills takenEntries.
fn takeLargest(local: u32) {
  if (local < COLUMNS) { atomicStore(&numTaken[local], 0u); }
  let found = findBounds(local);
  for (var place = local; place < NODES; place += THREADS) {
    let x = columnsAt(place);
    for (var c = 0u; c < COLUMNS; c++) {
      if (orderKey(columnOf(x, c)) > found[c].low) { take(place, c); }
    }
  }
  for (var c = 0u; c < COLUMNS; c++) {
    let ties = KEPT - found[c].upper;
    if (ties > 0u) { takeEquals(found[c].low, ties, c, local); }
  }
  workgroupBarrier();
}

// How many taken entries of a column have a lower node.
fn rankOf(entry: u32, c: u32) -> u32 {
  var rank = 0u;
  for (var t = 0u; t < KEPT; t++) { rank += select(0u, 1u, takenEntries[c * KEPT + t] < entry); }
  return rank;
}
