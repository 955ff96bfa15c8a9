// Merges the block `made` with the pairs at `positions` of the block `from`. Both lists ascend and share no pair. The
// place of a pair is its rank in its own list plus the number of pairs of the other list before it. Pairs of `from` get
// the parameter `mark`; the others keep their marks.
// uses: threads
// params: numMade u32, count u32, mark u32
// writes: sources u32, targets u32, nextMarks u32
// reads: madeSources u32, madeTargets u32, marks u32, fromSources u32, fromTargets u32, positions u32

fn isBefore(i: u32, j: u32, k: u32, l: u32) -> bool {
  return i < k || (i == k && j < l);
}

fn chosenBefore(i: u32, j: u32) -> u32 {
  var low = 0u;
  var high = params.count;
  while (low < high) {
    let middle = (low + high) >> 1u;
    let e = positions[middle];
    if (isBefore(fromSources[e], fromTargets[e], i, j)) { low = middle + 1u; } else { high = middle; }
  }
  return low;
}

fn madeBefore(i: u32, j: u32) -> u32 {
  var low = 0u;
  var high = params.numMade;
  while (low < high) {
    let middle = (low + high) >> 1u;
    if (isBefore(madeSources[middle], madeTargets[middle], i, j)) { low = middle + 1u; } else { high = middle; }
  }
  return low;
}

fn place(at: u32, i: u32, j: u32, mark: u32) {
  sources[at] = i;
  targets[at] = j;
  nextMarks[at] = mark;
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let t = threadIndex(group, local);
  if (t < params.numMade) {
    let i = madeSources[t];
    let j = madeTargets[t];
    place(t + chosenBefore(i, j), i, j, marks[t]);
  } else if (t < params.numMade + params.count) {
    let k = t - params.numMade;
    let i = fromSources[positions[k]];
    let j = fromTargets[positions[k]];
    place(k + madeBefore(i, j), i, j, params.mark);
  }
}
