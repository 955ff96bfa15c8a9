// Bitonic sort of 64-bit keys (low, high), a power of two of them: `local_sort` sorts blocks of 1024 in workgroup memory, `step`
// compares keys `stride` apart within runs of `run`, `local_merge` does the strides below 1024.
// uses: threads, u64
// params: size u32, run u32, stride u32
// writes: keys vec2u

const BLOCK = 1024u;
var<workgroup> block: array<vec2u, BLOCK>;

// Orders the pairs of a block that are `stride` apart, ascending where bit `run` of the place is 0.
fn exchangeInBlock(local: u32, offset: u32, run: u32, stride: u32) {
  workgroupBarrier();
  for (var t = local; t < BLOCK / 2u; t += WORKGROUP) {
    let i = 2u * t - (t & (stride - 1u));
    let a = block[i];
    let b = block[i + stride];
    if (less64(b, a) == (((offset + i) & run) == 0u)) {
      block[i] = b;
      block[i + stride] = a;
    }
  }
}

fn load(local: u32, offset: u32) {
  for (var t = local; t < BLOCK; t += WORKGROUP) { block[t] = keys[offset + t]; }
}

fn save(local: u32, offset: u32) {
  workgroupBarrier();
  for (var t = local; t < BLOCK; t += WORKGROUP) { keys[offset + t] = block[t]; }
}

@compute @workgroup_size(WORKGROUP)
fn local_sort(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let offset = groupIndex(group) * BLOCK;
  load(local, offset);
  for (var run = 2u; run <= BLOCK; run <<= 1u) {
    for (var stride = run >> 1u; stride > 0u; stride >>= 1u) { exchangeInBlock(local, offset, run, stride); }
  }
  save(local, offset);
}

@compute @workgroup_size(WORKGROUP)
fn step(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let t = threadIndex(group, local);
  if (t >= params.size / 2u) { return; }
  let i = 2u * t - (t & (params.stride - 1u));
  let a = keys[i];
  let b = keys[i + params.stride];
  if (less64(b, a) == ((i & params.run) == 0u)) {
    keys[i] = b;
    keys[i + params.stride] = a;
  }
}

@compute @workgroup_size(WORKGROUP)
fn local_merge(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let offset = groupIndex(group) * BLOCK;
  load(local, offset);
  for (var stride = BLOCK / 2u; stride > 0u; stride >>= 1u) { exchangeInBlock(local, offset, params.run, stride); }
  save(local, offset);
}
