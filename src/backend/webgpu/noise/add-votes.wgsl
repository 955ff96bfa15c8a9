// Adds one to the count of each node's class, over graphs side by side.
// uses: threads
// params: length u32, numNodes u32, numClasses u32
// writes: counts atomic<u32>
// reads: classes u32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let row = threadIndex(group, local);
  if (row >= params.length) { return; }
  let chosen = classes[row];
  if (chosen < params.numClasses) { atomicAdd(&counts[row % params.numNodes * params.numClasses + chosen], 1u); }
}
