// Where entry e of a [rows, cols] matrix goes in a matrix of as many columns: row at_e, its own column; nowhere if at_e < 0.
struct Params { length: u32, cols: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> places: array<u32>;
@group(0) @binding(2) var<storage, read> rowOf: array<i32>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let e = threadIndex(group, groups, local);
  if (e >= params.length) { return; }
  places[e] = select(u32(max(rowOf[e], 0)) * params.cols + e % params.cols, 0xffffffffu, rowOf[e] < 0);
}
