// Thread t of a neighbourhood's workgroup stands for column t, and has all neighbours of it in x. Later files say what is summed over
// columns (summand) and how (sumColumns).
var<private> x: array<vec4f, QUADS>;

// Column c of all neighbours; where they start is told.
fn load(c: u32) {
  for (var t = 0u; t < QUADS; t++) {
    let at = starts[t] + c;
    x[t] = vec4f(X[at.x], X[at.y], X[at.z], X[at.w]);
  }
}

// What column c has in neighbours 4 t … 4 t + 3.
fn valuesAt(row: Row, t: u32, c: u32) -> vec4f {
  if (LONG == 0u) { return x[t]; }
  let e = row.first + 4u * t;
  let at = vec4u(startAt(row, e), startAt(row, e + 1u), startAt(row, e + 2u), startAt(row, e + 3u)) + c;
  return vec4f(X[at.x], X[at.y], X[at.z], X[at.w]);
}

fn totalOf(v: vec4f) -> f32 { return (v.x + v.y) + (v.z + v.w); }

// Σ_k number_k (x_k − origin) in the column of this thread.
fn weighedSum(origin: f32) -> f32 {
  var sum = vec4f(0.0);
  for (var t = 0u; t < QUADS; t++) { sum = fma(numbers[t], x[t] - origin, sum); }
  return totalOf(sum);
}
