// dX_jc += Σ_i grad_ic over the rows i whose median j holds in column c, by the bits of the entries (j, i) of a pattern, `panels` pairs
// of words each. A workgroup of 64 threads per row j, for 64 entries and 64 columns at a time: thread t first stands for entry t and
// tells the columns that it holds, then for column t and adds up.
struct Params { rows: u32, cols: u32, panels: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> dX: array<f32>;
@group(0) @binding(2) var<storage, read> rowPtr: array<u32>;
@group(0) @binding(3) var<storage, read> colIdx: array<u32>;
@group(0) @binding(4) var<storage, read> bits: array<vec2u>;
@group(0) @binding(5) var<storage, read> grad: array<f32>;

const SIDE = 64u;
var<workgroup> rows: array<u32, SIDE>; // where those of 64 entries begin in grad
var<workgroup> holds: array<atomic<u32>, 2u * SIDE>; // two words per column: bit t says that entry t holds it

fn tellColumns(columns: u32, firstColumn: u32, local: u32) {
  for (var rest = columns; rest != 0u; rest &= rest - 1u) {
    atomicOr(&holds[2u * (firstColumn + firstTrailingBit(rest)) + local / 32u], 1u << (local % 32u));
  }
}

fn sumHeld(entries: u32, firstEntry: u32, c: u32) -> f32 {
  var sum = 0.0;
  for (var rest = entries; rest != 0u; rest &= rest - 1u) { sum += grad[rows[firstEntry + firstTrailingBit(rest)] + c]; }
  return sum;
}

@compute @workgroup_size(SIDE)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let row = groupIndex(group, groups);
  if (row >= params.rows) { return; }
  let begin = rowPtr[row];
  let last = rowPtr[row + 1u];
  for (var left = 0u; left < params.cols; left += SIDE) {
    let c = left + local;
    let at = row * params.cols + c;
    var sum = 0.0;
    if (c < params.cols) { sum = dX[at]; }
    for (var first = begin; first < last; first += SIDE) {
      let e = first + local;
      var held = vec2u(0u);
      if (e < last) {
        held = bits[e * params.panels + left / SIDE];
        rows[local] = colIdx[e] * params.cols;
      }
      atomicStore(&holds[local], 0u);
      atomicStore(&holds[SIDE + local], 0u);
      workgroupBarrier();
      tellColumns(held.x, 0u, local);
      tellColumns(held.y, 32u, local);
      workgroupBarrier();
      sum += sumHeld(atomicLoad(&holds[2u * local]), 0u, c);
      sum += sumHeld(atomicLoad(&holds[2u * local + 1u]), 32u, c);
      workgroupBarrier();
    }
    if (c < params.cols) { dX[at] = sum; }
  }
}
