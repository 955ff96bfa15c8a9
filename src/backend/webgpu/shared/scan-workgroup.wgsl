// Exclusive prefix sum of one value per thread of a workgroup, in 16 groups of 16; scanTotal is the sum of all.
// uses: threads

var<workgroup> scanned: array<u32, WORKGROUP>;
var<workgroup> scannedSums: array<u32, 16>;
var<workgroup> scanTotal: u32;

fn scanWorkgroup(value: u32, local: u32) -> u32 {
  workgroupBarrier();
  scanned[local] = value;
  workgroupBarrier();
  if (local < 16u) {
    var sum = 0u;
    for (var t = 0u; t < 16u; t++) { sum += scanned[16u * local + t]; }
    scannedSums[local] = sum;
  }
  workgroupBarrier();
  var before = 0u;
  for (var s = 0u; s < local / 16u; s++) { before += scannedSums[s]; }
  for (var t = local - local % 16u; t < local; t++) { before += scanned[t]; }
  if (local == WORKGROUP - 1u) { scanTotal = before + value; }
  workgroupBarrier();
  return before;
}
