// out_t = X_{t, column_t} − X_{t, rival_t}, where the rival is the largest other entry of the row, the first on ties.
// Where TANH is 1, out_t is the tanh of that, and `sums` gets two numbers per workgroup: the sum of out and the number
// of rows of which the entry at column_t is the largest, the first on ties.
// uses: largest-column, row-lanes, tanh, threads
// constants: T, LANES, TANH
// params: rows u32, cols u32
// writes: out f32, rivals u32, sums vec2f
// reads: column u32

const ROWS = WORKGROUP / LANES;
var<workgroup> ofRows: array<vec2f, ROWS>;

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let share = rowShare(group, local);
  let row = share.row;
  var own = 0u;
  if (row < params.rows) { own = column[row]; }
  let rival = largestBut(own, share, local);
  var ofRow = vec2f(0.0);
  if (share.leads) {
    var margin = X[row * params.cols + own] - rival.value;
    if (TANH == 1u) {
      let isRight = margin > 0.0 || (margin == 0.0 && own < rival.column);
      margin = tanhOf(margin);
      ofRow = vec2f(margin, select(0.0, 1.0, isRight));
    }
    out[row] = margin;
    rivals[row] = rival.column;
  }
  if (TANH == 0u) { return; }
  if (local % LANES == 0u) { ofRows[local / LANES] = ofRow; }
  workgroupBarrier();
  if (local > 0u || row >= params.rows) { return; }
  var sum = vec2f(0.0);
  for (var r = 0u; r < ROWS; r++) { sum += ofRows[r]; }
  sums[row / ROWS] = sum;
}
