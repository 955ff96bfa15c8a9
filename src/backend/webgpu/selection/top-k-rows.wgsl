// The k largest entries of each row, the lower column on ties, in ascending order of their columns. A workgroup per row
// finds the key of the k-th largest by four histograms of 8 bits; then one ordered pass takes what is above it and
// enough of what equals it.
// uses: order-key, scan-workgroup, threads
// params: rows u32, cols u32, k u32
// writes: columns u32, largest f32
// reads: X f32

var<workgroup> buckets: array<atomic<u32>, WORKGROUP>;
var<workgroup> prefix: u32;
var<workgroup> wanted: u32;

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let row = groupIndex(group);
  let first = row * params.cols;
  let cols = select(0u, params.cols, row < params.rows);
  if (local == 0u) {
    prefix = 0u;
    wanted = params.k;
  }
  for (var shift = 32u; shift > 0u; shift -= 8u) {
    atomicStore(&buckets[local], 0u);
    workgroupBarrier();
    for (var c = local; c < cols; c += WORKGROUP) {
      let key = orderKey(X[first + c]);
      if (shift == 32u || (key >> (shift & 31u)) == prefix) { atomicAdd(&buckets[(key >> (shift - 8u)) & 255u], 1u); }
    }
    workgroupBarrier();
    let bucket = 255u - local;
    let size = atomicLoad(&buckets[bucket]);
    let before = scanWorkgroup(size, local);
    let target_ = wanted;
    let leading = prefix;
    workgroupBarrier();
    if (before < target_ && target_ <= before + size) {
      prefix = (leading << 8u) | bucket;
      wanted = target_ - before;
    }
    workgroupBarrier();
  }
  let threshold = prefix;
  let ties = wanted;
  var place = row * params.k;
  var equalBefore = 0u;
  let rounds = (params.cols + WORKGROUP - 1u) / WORKGROUP;
  for (var round = 0u; round < rounds; round++) {
    let c = round * WORKGROUP + local;
    var packed = 0u;
    var key = 0u;
    if (c < cols) {
      key = orderKey(X[first + c]);
      packed = select(0u, 1u, key > threshold) + select(0u, 0x10000u, key == threshold);
    }
    let inside = scanWorkgroup(packed, local);
    let equal = equalBefore + (inside >> 16u);
    let taken = (packed & 1u) == 1u || (packed > 0u && equal < ties);
    if (taken) {
      let at = place + (inside & 0xffffu) + min(equal, ties) - min(equalBefore, ties);
      columns[at] = c;
      largest[at] = X[first + c];
    }
    let equalAfter = equalBefore + (scanTotal >> 16u);
    place += (scanTotal & 0xffffu) + min(equalAfter, ties) - min(equalBefore, ties);
    equalBefore = equalAfter;
  }
}
