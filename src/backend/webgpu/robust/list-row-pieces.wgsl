// Lists the pieces of long rows (long-row.wgsl). Rows come in any order, the pieces of one in theirs.
struct Params { rows: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> pieces: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read> rowPtr: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let i = threadIndex(group, groups, local);
  if (i >= params.rows) { return; }
  let count = numPieces(rowPtr[i + 1u] - rowPtr[i]);
  if (count == 1u) { return; }
  let first = atomicAdd(&pieces[0], count - 1u);
  for (var number = 1u; number < count; number++) {
    let at = 2u * (first + number);
    atomicStore(&pieces[at], i);
    atomicStore(&pieces[at + 1u], number);
  }
}
