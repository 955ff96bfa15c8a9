// Selects elements of X without telling the host how many: those above a floor, at most `limit` of them and then the largest,
// or (ALL) the `limit` largest of all; the lower index on ties. Steps, in this order:
//   start      the threshold is the floor, or is to be searched
//   count      elements above and equal to the threshold in each chunk
//   totals     places of the chunks; more above the floor than the limit starts the search
//   histogram, choose   three times: 11, 11 and 10 more bits of the key of the limit-th largest
//   count, totals       again, if there was a search
//   write      the positions, in ascending order
struct Params { length: u32, floor: f32, limit: u32, numChunks: u32, stage: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> state: array<u32>;
@group(0) @binding(2) var<storage, read_write> counts: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> buckets: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read> X: array<f32>;
@group(0) @binding(5) var<storage, read_write> positions: array<u32>;

const SELECTED = 0u; // how many elements are selected
const SEARCHING = 1u;
const KEY = 2u; // of the threshold, or its leading bits during the search
const TIES = 3u; // elements equal to the threshold to take, or what is left of the limit during the search
const BUCKETS = 2048u;
const PER_THREAD = 8u;
const CHUNK = WORKGROUP * PER_THREAD;
var<workgroup> local_buckets: array<atomic<u32>, BUCKETS>;

@compute @workgroup_size(WORKGROUP)
fn start(@builtin(local_invocation_index) local: u32) {
  for (var b = local; b < BUCKETS; b += WORKGROUP) { atomicStore(&buckets[b], 0u); }
  if (local > 0u) { return; }
  state[SELECTED] = 0u;
  state[SEARCHING] = ALL;
  state[KEY] = select(orderKey(params.floor), 0u, ALL == 1u);
  state[TIES] = select(0u, params.limit, ALL == 1u);
}

// How many of the elements of a thread are above the threshold (lower half) and equal to it (upper half).
fn threadCounts(first: u32) -> u32 {
  var packed = 0u;
  for (var k = 0u; k < PER_THREAD; k++) {
    if (first + k >= params.length) { break; }
    let key = orderKey(X[first + k]);
    packed += select(0u, 1u, key > state[KEY]) + select(0u, 0x10000u, key == state[KEY]);
  }
  return packed;
}

@compute @workgroup_size(WORKGROUP)
fn count(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let chunk = groupIndex(group, groups);
  let skip = params.stage == 1u && state[SEARCHING] == 0u;
  _ = scanWorkgroup(threadCounts(chunk * CHUNK + local * PER_THREAD), local);
  if (local == 0u && chunk < params.numChunks && !skip) { counts[chunk] = vec2u(scanTotal & 0xffffu, scanTotal >> 16u); }
}

@compute @workgroup_size(WORKGROUP)
fn totals(@builtin(local_invocation_index) local: u32) {
  let skip = params.stage == 1u && state[SEARCHING] == 0u;
  let share = (params.numChunks + WORKGROUP - 1u) / WORKGROUP;
  let first = min(params.numChunks, local * share);
  let end = min(params.numChunks, first + share);
  var sums = vec2u(0u);
  for (var c = first; c < end; c++) { sums += counts[c]; }
  var place = vec2u(scanWorkgroup(sums.x, local), 0u);
  let above = scanTotal;
  place.y = scanWorkgroup(sums.y, local);
  if (skip) { return; }
  for (var c = first; c < end; c++) {
    let size = counts[c];
    counts[c] = place;
    place += size;
  }
  if (local > 0u) { return; }
  if (params.stage == 0u && above > params.limit) {
    state[SEARCHING] = 1u;
    state[KEY] = 0u;
    state[TIES] = params.limit;
  } else {
    state[SELECTED] = above + state[TIES];
  }
}

// Bits of the key that a pass looks at, and those before them.
fn shiftOf(stage: u32) -> u32 { return select(select(0u, 10u, stage == 1u), 21u, stage == 0u); }
fn bitsOf(stage: u32) -> u32 { return select(11u, 10u, stage == 2u); }

@compute @workgroup_size(WORKGROUP)
fn histogram(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  for (var b = local; b < BUCKETS; b += WORKGROUP) { atomicStore(&local_buckets[b], 0u); }
  workgroupBarrier();
  let first = groupIndex(group, groups) * CHUNK;
  let shift = shiftOf(params.stage);
  let bits = bitsOf(params.stage);
  if (state[SEARCHING] == 1u) {
    for (var e = first + local; e < min(first + CHUNK, params.length); e += WORKGROUP) {
      let key = orderKey(X[e]);
      let counted = ALL == 1u || key > orderKey(params.floor);
      if (counted && (params.stage == 0u || (key >> (shift + bits)) == state[KEY])) {
        atomicAdd(&local_buckets[(key >> shift) & ((1u << bits) - 1u)], 1u);
      }
    }
  }
  workgroupBarrier();
  for (var b = local; b < BUCKETS; b += WORKGROUP) {
    let size = atomicLoad(&local_buckets[b]);
    if (size > 0u) { atomicAdd(&buckets[b], size); }
  }
}

@compute @workgroup_size(WORKGROUP)
fn choose(@builtin(local_invocation_index) local: u32) {
  let share = BUCKETS / WORKGROUP;
  let top = BUCKETS - 1u - local * share; // from the largest down
  var sum = 0u;
  for (var b = 0u; b < share; b++) { sum += atomicLoad(&buckets[top - b]); }
  var before = scanWorkgroup(sum, local);
  let wanted = state[TIES];
  let searching = state[SEARCHING] == 1u;
  let key = state[KEY];
  storageBarrier();
  workgroupBarrier();
  for (var b = 0u; b < share; b++) {
    let size = atomicLoad(&buckets[top - b]);
    if (searching && before < wanted && wanted <= before + size) {
      state[KEY] = (key << bitsOf(params.stage)) | (top - b);
      state[TIES] = wanted - before;
    }
    before += size;
    atomicStore(&buckets[top - b], 0u);
  }
}

@compute @workgroup_size(WORKGROUP)
fn write(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let chunk = groupIndex(group, groups);
  let first = chunk * CHUNK + local * PER_THREAD;
  let inside = scanWorkgroup(threadCounts(first), local);
  if (chunk >= params.numChunks) { return; }
  var above = counts[chunk].x + (inside & 0xffffu);
  var equal = counts[chunk].y + (inside >> 16u);
  let ties = state[TIES];
  for (var k = 0u; k < PER_THREAD; k++) {
    if (first + k >= params.length) { break; }
    let key = orderKey(X[first + k]);
    let isAbove = key > state[KEY];
    let isEqual = key == state[KEY];
    if (isAbove || (isEqual && equal < ties)) { positions[above + min(equal, ties)] = first + k; }
    above += select(0u, 1u, isAbove);
    equal += select(0u, 1u, isEqual);
  }
}
