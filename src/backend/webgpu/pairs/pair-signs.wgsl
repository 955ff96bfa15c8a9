// out_e = −1 if the sorted rows of a matrix hold entry (source_e, target_e), else +1, times what it was if `turn`.
struct Params { length: u32, turn: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<storage, read> sources: array<u32>;
@group(0) @binding(3) var<storage, read> targets: array<u32>;
@group(0) @binding(4) var<storage, read> rowPtr: array<u32>;
@group(0) @binding(5) var<storage, read> colIdx: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let e = threadIndex(group, groups, local);
  if (e >= params.length) { return; }
  let row = sources[e];
  let column = targets[e];
  var low = rowPtr[row];
  let last = rowPtr[row + 1u];
  var high = last;
  while (low < high) {
    let middle = (low + high) >> 1u;
    if (colIdx[middle] < column) { low = middle + 1u; } else { high = middle; }
  }
  var found = false;
  if (low < last) { found = colIdx[low] == column; }
  let old = select(1.0, out[e], params.turn == 1u);
  out[e] = select(old, -old, found);
}
