// Adds what the further pieces of long rows have come to (long-row.wgsl) to the rows, in the order of the pieces.
struct Params { cols: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<storage, read> partial: array<f32>;
@group(0) @binding(3) var<storage, read> pieces: array<u32>;
@group(0) @binding(4) var<storage, read> rowPtr: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let e = threadIndex(group, groups, local);
  if (e >= pieces[0] * params.cols) { return; }
  let listed = 2u * (e / params.cols + 1u);
  if (pieces[listed + 1u] != 1u) { return; }
  let i = pieces[listed];
  let count = numPieces(rowPtr[i + 1u] - rowPtr[i]);
  let at = i * params.cols + e % params.cols;
  var sum = out[at];
  for (var number = 1u; number < count; number++) { sum += partial[e + (number - 1u) * params.cols]; }
  out[at] = sum;
}
