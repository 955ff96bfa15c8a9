// terms_e, what entry e = (i, j) adds to row j of dX: direct_e dY_i + Σ_l (t_e a_l + t_l a_e) (x_j − x_l) / ‖x_j −
// x_l‖, where equal points add 0. For rows of at most MOST entries: first computes the factors of all pairs, then PANEL
// columns at a time, of which a thread has two for four entries.
// uses: medoid-pairs, threads
// constants: MOST
// params: cols u32
// writes: terms f32
// reads: towards f32, direct f32, dY f32

var<workgroup> strengths: array<vec4f, MOST * QUADS>; // of a neighbour with four others at a time; symmetric

fn towardsAt(row: Row, l: u32) -> f32 {
  if (l >= row.length) { return 0.0; }
  return towards[row.first + l];
}

fn fourTowards(row: Row, l: u32) -> vec4f {
  return vec4f(towardsAt(row, l), towardsAt(row, l + 1u), towardsAt(row, l + 2u), towardsAt(row, l + 3u));
}

fn strengthsOf(row: Row, e: u32, squares: vec4f, weights: vec4f, toward: vec4f) -> vec4f {
  let strength = (towardsAt(row, e) * weights + toward * weightAt(row, e)) / sqrt(squares);
  return select(vec4f(0.0), strength, squares > vec4f(0.0));
}

// Writes column c of the terms of four entries from e on.
fn writeTerms(row: Row, e: u32, c: u32, gradient: f32, sums: vec4f) {
  for (var i = 0u; i < 4u; i++) {
    if (e + i >= row.length) { return; }
    let entry = row.first + e + i;
    terms[entry * params.cols + c] = fma(direct[entry], gradient, sums[i]);
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let row = rowOf(group, local);
  if (row.length > MOST || row.length == 0u) { return; }
  let x = local % QUADS;
  let y = local / QUADS;
  let squares = squaresOf(row, x, y, local);
  let weights = weightsAt(row, 4u * x);
  let toward = fourTowards(row, 4u * x);
  strengths[4u * y * QUADS + x] = strengthsOf(row, 4u * y, squares.of0, weights, toward);
  strengths[(4u * y + 1u) * QUADS + x] = strengthsOf(row, 4u * y + 1u, squares.of1, weights, toward);
  strengths[(4u * y + 2u) * QUADS + x] = strengthsOf(row, 4u * y + 2u, squares.of2, weights, toward);
  strengths[(4u * y + 3u) * QUADS + x] = strengthsOf(row, 4u * y + 3u, squares.of3, weights, toward);
  let i = groupIndex(group);
  for (var left = 0u; left < params.cols; left += PANEL) {
    stage(row, left, local);
    for (var c = x; c < PANEL; c += QUADS) {
      if (left + c < params.cols) {
        let own = staged[c * ROW + y];
        var sums = vec4f(0.0);
        for (var l = 0u; l < row.length; l++) { sums = fma(strengths[l * QUADS + y], own - staged[c * ROW + l / 4u][l % 4u], sums); }
        writeTerms(row, 4u * y, left + c, dY[i * params.cols + left + c], sums);
      }
    }
  }
}
