// Distances between all pairs of a row's neighbours, of which there are at most MOST. A workgroup takes a row: 16 × 16
// threads have 4 × 4 pairs each, and PANEL columns of all neighbours are in workgroup memory at a time.
// uses: entry-weight, threads
// constants: MOST
// params: rows u32, cols u32
// reads: rowPtr u32, colIdx u32, X f32

const QUADS = MOST / 4u;
const ROW = QUADS + 1u; // padded: threads that stage a neighbour hit different banks
const PANEL = 32u;
var<workgroup> staged: array<vec4f, PANEL * ROW>; // four neighbours at a time, one column after the other
var<workgroup> bounds: vec2u;

struct Row { first: u32, length: u32 }

// The entries of the workgroup's row, uniform for all threads.
fn rowOf(group: Workgroup, local: u32) -> Row {
  let row = groupIndex(group);
  if (local == 0u) {
    bounds = vec2u(0u);
    if (row < params.rows) { bounds = vec2u(rowPtr[row], rowPtr[row + 1u]); }
  }
  let range = workgroupUniformLoad(&bounds);
  return Row(range.x, range.y - range.x);
}

// Loads PANEL columns of all neighbours into workgroup memory, with zeros where there is no neighbour or no column.
fn stage(row: Row, left: u32, local: u32) {
  workgroupBarrier();
  for (var t = local; t < MOST * PANEL; t += WORKGROUP) {
    let n = t / PANEL;
    let c = t % PANEL;
    var x = 0.0;
    if (n < row.length && left + c < params.cols) { x = X[colIdx[row.first + n] * params.cols + left + c]; }
    staged[c * ROW + n / 4u][n % 4u] = x;
  }
  workgroupBarrier();
}

// ‖x_e − x_l‖² of the four neighbours from 4y on, each with the four from 4x on.
struct Squares { of0: vec4f, of1: vec4f, of2: vec4f, of3: vec4f }

fn squaresOf(row: Row, x: u32, y: u32, local: u32) -> Squares {
  var of0 = vec4f(0.0);
  var of1 = vec4f(0.0);
  var of2 = vec4f(0.0);
  var of3 = vec4f(0.0);
  for (var left = 0u; left < params.cols; left += PANEL) {
    stage(row, left, local);
    let end = min(PANEL, params.cols - left);
    for (var c = 0u; c < end; c++) {
      let a = staged[c * ROW + y];
      let b = staged[c * ROW + x];
      let d0 = a.x - b;
      let d1 = a.y - b;
      let d2 = a.z - b;
      let d3 = a.w - b;
      of0 = fma(d0, d0, of0);
      of1 = fma(d1, d1, of1);
      of2 = fma(d2, d2, of2);
      of3 = fma(d3, d3, of3);
    }
  }
  return Squares(of0, of1, of2, of3);
}

// 0 past the last entry.
fn weightAt(row: Row, l: u32) -> f32 {
  if (l >= row.length) { return 0.0; }
  return weightOf(row.first + l);
}

fn weightsAt(row: Row, l: u32) -> vec4f {
  return vec4f(weightAt(row, l), weightAt(row, l + 1u), weightAt(row, l + 2u), weightAt(row, l + 3u));
}
