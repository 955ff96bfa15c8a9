// Selects elements of X without telling the host how many: those above a floor, at most `limit` of them and then the largest,
// or (ALL) the `limit` largest of all; the lower index on ties. Steps, in this order:
//   clear      only if ALL: clears the histograms, which count does otherwise
//   count      stage 0, not if ALL: elements above and equal to the floor in each chunk
//   histogram  three stages: 11, 11 and 10 more bits of the key of the limit-th largest, if more than the limit are above the floor
//   count      stage 1, if there was a search: elements above and equal to the threshold in each chunk
//   write      the positions, in ascending order
// Every workgroup evaluates the results of the previous step itself; the first one also stores what it finds in
// `state`, for later steps.
// uses: order-key, scan-workgroup, threads
// constants: ALL
// params: length u32, floor f32, limit u32, numChunks u32, stage u32
// writes: state u32, counts vec2u, buckets atomic<u32>, positions u32
// reads: X f32

const SELECTED = 0u; // how many elements are selected
const SEARCHING = 1u;
const FOUND = 2u; // two words per stage: leading bits of the threshold's key, how many with these bits to select
const STAGES = 3u;
const BUCKETS = 2048u;
const PER_THREAD = 8u;
const CHUNK = WORKGROUP * PER_THREAD;
var<workgroup> local_buckets: array<atomic<u32>, BUCKETS>;
var<workgroup> found: vec2u;
var<workgroup> isSearching: u32;

fn clearBuckets(local: u32) {
  for (var b = local; b < STAGES * BUCKETS; b += WORKGROUP) { atomicStore(&buckets[b], 0u); }
}

@compute @workgroup_size(WORKGROUP)
fn clear(@builtin(local_invocation_index) local: u32) { clearBuckets(local); }

// How many of the elements of a thread are above the threshold (lower half) and equal to it (upper half).
fn threadCounts(first: u32, threshold: u32) -> u32 {
  var packed = 0u;
  for (var k = 0u; k < PER_THREAD; k++) {
    if (first + k >= params.length) { break; }
    let key = orderKey(X[first + k]);
    packed += select(0u, 1u, key > threshold) + select(0u, 0x10000u, key == threshold);
  }
  return packed;
}

// Where the bits of the key that a stage reads begin, and how many they are.
fn shiftOf(stage: u32) -> u32 { return select(select(0u, 10u, stage == 1u), 21u, stage == 0u); }
fn bitsOf(stage: u32) -> u32 { return select(11u, 10u, stage == 2u); }

// Leading bits of the threshold and rest of the limit before a stage, from the buckets of the stage before it.
fn before(stage: u32, isFirst: bool, local: u32) -> vec2u {
  if (stage == 0u) { return vec2u(0u, params.limit); }
  var last = vec2u(0u, params.limit);
  if (stage > 1u) { last = vec2u(state[FOUND + 2u * (stage - 2u)], state[FOUND + 2u * (stage - 2u) + 1u]); }
  let share = BUCKETS / WORKGROUP;
  let top = BUCKETS - 1u - local * share; // from the largest down
  let first = (stage - 1u) * BUCKETS;
  var sum = 0u;
  for (var b = 0u; b < share; b++) { sum += atomicLoad(&buckets[first + top - b]); }
  var passed = scanWorkgroup(sum, local);
  for (var b = 0u; b < share; b++) {
    let size = atomicLoad(&buckets[first + top - b]);
    if (passed < last.y && last.y <= passed + size) {
      found = vec2u((last.x << bitsOf(stage - 1u)) | (top - b), last.y - passed);
    }
    passed += size;
  }
  let now = workgroupUniformLoad(&found);
  if (isFirst) {
    state[FOUND + 2u * (stage - 1u)] = now.x;
    state[FOUND + 2u * (stage - 1u) + 1u] = now.y;
  }
  return now;
}

// Elements above (x) and equal to (y) the threshold in the chunks before `end`, for every thread.
fn totalsBefore(end: u32, local: u32) -> vec2u {
  var sums = vec2u(0u);
  for (var c = local; c < end; c += WORKGROUP) { sums += counts[c]; }
  _ = scanWorkgroup(sums.x, local);
  let above = scanTotal;
  _ = scanWorkgroup(sums.y, local);
  return vec2u(above, scanTotal);
}

// True if more elements are above the floor than may be selected, by the counts of stage 0.
fn needsSearch(isFirst: bool, local: u32) -> bool {
  if (ALL == 1u) { return true; }
  let is = totalsBefore(params.numChunks, local).x > params.limit;
  if (isFirst) { state[SEARCHING] = select(0u, 1u, is); }
  return is;
}

fn searches() -> bool { return ALL == 1u || state[SEARCHING] == 1u; }

@compute @workgroup_size(WORKGROUP)
fn histogram(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let index = groupIndex(group);
  let isFirst = index == 0u && local == 0u;
  if (params.stage == 0u) {
    let is = needsSearch(isFirst, local);
    if (local == 0u) { isSearching = select(0u, 1u, is); }
  } else if (local == 0u) {
    isSearching = select(0u, 1u, searches());
  }
  if (workgroupUniformLoad(&isSearching) == 0u) { return; }
  let stage = params.stage;
  let leading = before(stage, isFirst, local).x;
  for (var b = local; b < BUCKETS; b += WORKGROUP) { atomicStore(&local_buckets[b], 0u); }
  workgroupBarrier();
  let first = index * CHUNK;
  let shift = shiftOf(stage);
  let bits = bitsOf(stage);
  for (var e = first + local; e < min(first + CHUNK, params.length); e += WORKGROUP) {
    let key = orderKey(X[e]);
    let counted = ALL == 1u || key > orderKey(params.floor);
    if (counted && (stage == 0u || (key >> (shift + bits)) == leading)) {
      atomicAdd(&local_buckets[(key >> shift) & ((1u << bits) - 1u)], 1u);
    }
  }
  workgroupBarrier();
  for (var b = local; b < BUCKETS; b += WORKGROUP) {
    let size = atomicLoad(&local_buckets[b]);
    if (size > 0u) { atomicAdd(&buckets[stage * BUCKETS + b], size); }
  }
}

@compute @workgroup_size(WORKGROUP)
fn count(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let chunk = groupIndex(group);
  var threshold = orderKey(params.floor);
  if (params.stage == 0u) {
    if (chunk == 0u) { clearBuckets(local); }
  } else {
    if (local == 0u) { isSearching = select(0u, 1u, searches()); }
    if (workgroupUniformLoad(&isSearching) == 0u) { return; }
    threshold = before(STAGES, chunk == 0u && local == 0u, local).x;
  }
  _ = scanWorkgroup(threadCounts(chunk * CHUNK + local * PER_THREAD, threshold), local);
  if (local == 0u && chunk < params.numChunks) { counts[chunk] = vec2u(scanTotal & 0xffffu, scanTotal >> 16u); }
}

@compute @workgroup_size(WORKGROUP)
fn write(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let chunk = groupIndex(group);
  let first = chunk * CHUNK + local * PER_THREAD;
  var threshold = orderKey(params.floor);
  var ties = 0u;
  if (searches()) {
    threshold = state[FOUND + 2u * (STAGES - 1u)];
    ties = state[FOUND + 2u * (STAGES - 1u) + 1u];
  }
  let start = totalsBefore(min(chunk, params.numChunks), local);
  let inside = scanWorkgroup(threadCounts(first, threshold), local);
  if (chunk >= params.numChunks) { return; }
  if (local == 0u && chunk == params.numChunks - 1u) { state[SELECTED] = start.x + (scanTotal & 0xffffu) + ties; }
  var above = start.x + (inside & 0xffffu);
  var equal = start.y + (inside >> 16u);
  for (var k = 0u; k < PER_THREAD; k++) {
    if (first + k >= params.length) { break; }
    let key = orderKey(X[first + k]);
    let isAbove = key > threshold;
    let isEqual = key == threshold;
    if (isAbove || (isEqual && equal < ties)) { positions[above + min(equal, ties)] = first + k; }
    above += select(0u, 1u, isAbove);
    equal += select(0u, 1u, isEqual);
  }
}
