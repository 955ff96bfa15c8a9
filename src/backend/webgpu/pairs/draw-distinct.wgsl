// Draws from the whole range until enough numbers are distinct. A hash table finds duplicates: a slot holds t + 1 for
// draw t, whose value is computed again whenever another is compared with it. Each `round`, by the whole grid, draws as
// many numbers as are missing; then one workgroup (`finish`) draws the last few until none is missing.
// uses: draw, threads
// params: size u32, mask u32, keyLow u32, keyHigh u32
// writes: table atomic<u32>, progress atomic<u32>, ranks vec2u
// reads: plan u32

const DRAWN = 0u;
const DISTINCT = 1u;
const MISSING = 2u;
const LISTED = 3u;
var<workgroup> fresh: atomic<u32>;
var<workgroup> missing: u32;

fn drawn(t: u32) -> vec2u {
  return drawBelow(t, vec2u(params.keyLow, params.keyHigh), vec2u(plan[6], plan[7]));
}

// Enters draw t; true if its value was not in the table yet.
fn enter(t: u32) -> bool {
  let value = drawn(t);
  var slot = ((value.x ^ (value.y * 0x9e3779b9u)) * 0x85ebca6bu) >> 7u;
  loop {
    slot &= params.mask;
    let seen = atomicCompareExchangeWeak(&table[slot], 0u, t + 1u);
    if (seen.exchanged) { return true; }
    if (seen.old_value == 0u) { continue; } // a weak exchange may fail although the slot is free
    if (all(drawn(seen.old_value - 1u) == value)) { return false; }
    slot++;
  }
}

@compute @workgroup_size(1)
fn begin() {
  atomicStore(&progress[DRAWN], 0u);
  atomicStore(&progress[DISTINCT], 0u);
  atomicStore(&progress[MISSING], plan[2]);
  atomicStore(&progress[LISTED], 0u);
}

@compute @workgroup_size(WORKGROUP)
fn round(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let wanted = atomicLoad(&progress[MISSING]);
  let first = atomicLoad(&progress[DRAWN]);
  if (local == 0u) { atomicStore(&fresh, 0u); }
  workgroupBarrier();
  let threads = group.count.x * group.count.y * WORKGROUP;
  for (var t = threadIndex(group, local); t < wanted; t += threads) {
    if (enter(first + t)) { atomicAdd(&fresh, 1u); }
  }
  workgroupBarrier();
  if (local == 0u) { atomicAdd(&progress[DISTINCT], atomicLoad(&fresh)); }
}

@compute @workgroup_size(1)
fn advance() {
  atomicStore(&progress[DRAWN], atomicLoad(&progress[DRAWN]) + atomicLoad(&progress[MISSING]));
  atomicStore(&progress[MISSING], plan[2] - atomicLoad(&progress[DISTINCT]));
}

@compute @workgroup_size(WORKGROUP)
fn finish(@builtin(local_invocation_index) local: u32) {
  var first = atomicLoad(&progress[DRAWN]);
  var distinct = atomicLoad(&progress[DISTINCT]);
  if (local == 0u) { atomicStore(&fresh, 0u); }
  loop {
    if (local == 0u) { missing = plan[2] - distinct; }
    let wanted = workgroupUniformLoad(&missing);
    if (wanted == 0u) { break; }
    for (var t = local; t < wanted; t += WORKGROUP) {
      if (enter(first + t)) { atomicAdd(&fresh, 1u); }
    }
    workgroupBarrier();
    distinct = atomicLoad(&progress[DISTINCT]) + atomicLoad(&fresh);
    first += wanted;
    storageBarrier();
    workgroupBarrier();
  }
}

// Lists the values in the table, in any order; the rest of `ranks` is the largest number (`pad`, launched before): a
// sort follows.
@compute @workgroup_size(WORKGROUP)
fn list(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let slot = threadIndex(group, local);
  if (slot > params.mask) { return; }
  let entry = atomicLoad(&table[slot]);
  if (entry > 0u) { ranks[atomicAdd(&progress[LISTED], 1u)] = drawn(entry - 1u); }
}

@compute @workgroup_size(WORKGROUP)
fn pad(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let t = threadIndex(group, local);
  if (t < params.size) { ranks[t] = vec2u(0xffffffffu); }
}
