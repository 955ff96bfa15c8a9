// δ_e = Σ_l a_l ‖x_e − x_l‖ over the entries l of the row of e, for rows of at most MOST entries.
// uses: medoid-pairs, threads
// requires: sumLanes(x, local)
// constants: MOST
// writes: distances f32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let row = rowOf(group, local);
  if (row.length > MOST) { return; }
  let x = local % QUADS;
  let y = local / QUADS;
  let squares = squaresOf(row, x, y, local);
  let weights = weightsAt(row, 4u * x);
  let sums = vec4f(
    sumLanes(dot(weights, sqrt(squares.of0)), local),
    sumLanes(dot(weights, sqrt(squares.of1)), local),
    sumLanes(dot(weights, sqrt(squares.of2)), local),
    sumLanes(dot(weights, sqrt(squares.of3)), local),
  );
  if (x < 4u && 4u * y + x < row.length) { distances[row.first + 4u * y + x] = sums[x]; }
}
