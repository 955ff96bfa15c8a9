// values_e = LOWEST for every pair e of the ascending block `from` that is also in the block `made`. A thread per pair
// of `made` searches for it in `from`.
// uses: threads
// params: numMade u32, numFrom u32
// writes: values f32
// reads: madeSources u32, madeTargets u32, fromSources u32, fromTargets u32

const LOWEST = -3.4028234663852886e38;

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let t = threadIndex(group, local);
  if (t >= params.numMade) { return; }
  let i = madeSources[t];
  let j = madeTargets[t];
  var low = 0u;
  var high = params.numFrom;
  while (low < high) {
    let middle = (low + high) >> 1u;
    let source = fromSources[middle];
    if (source < i || (source == i && fromTargets[middle] < j)) { low = middle + 1u; } else { high = middle; }
  }
  if (low < params.numFrom) {
    if (fromSources[low] == i && fromTargets[low] == j) { values[low] = LOWEST; }
  }
}
