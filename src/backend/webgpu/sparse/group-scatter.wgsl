// Puts the entries that group-count.wgsl counted into their rows, in any order. next_i is the next free place of row i.
// With mirrored pairs (KIND 1), entries right of the diagonal fill the row from its end: next_{rows + i} is the end of
// its free places.
// uses: threads
// constants: KIND
// params: length u32, floor f32, rows u32
// writes: next atomic<u32>, columns u32, entryValues f32
// reads: sources u32, targets u32, weights f32, signs f32

fn add(row: u32, column: u32, value: f32) {
  var at = 0u;
  if (KIND == 1u && column > row) {
    at = atomicSub(&next[params.rows + row], 1u) - 1u;
  } else {
    at = atomicAdd(&next[row], 1u);
  }
  columns[at] = column;
  entryValues[at] = value;
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let e = threadIndex(group, local);
  if (e >= params.length) { return; }
  if (KIND == 2u) {
    if (sources[e] != 0xffffffffu) { columns[atomicAdd(&next[sources[e]], 1u)] = e; }
    return;
  }
  let weight = weights[e];
  if (!(weight > params.floor)) { return; }
  let value = signs[e] * weight;
  let i = sources[e];
  let j = targets[e];
  add(i, j, value);
  if (KIND == 1u) { add(j, i, value); }
}
