// The part of Soft Median's gradient that a row can compute by itself. A workgroup gathers the row's neighbours once.
// With w = W · share, ē = ⟨dY_i, Y_i⟩ / W and excess_e = ⟨dY_i, x_j⟩ − ē: dValues_e = w excess_e + ē, and medianGrad_i
// = Σ_e a w excess_e (x_j − m_i) / (T cols c), 0 where c = 0. Distances c and shares are computed again. For
// soft-median-pull.wgsl it leaves terms_i = (largest exponent, W / Z, ē, whether medians are shared).
//
// `cols` counts in T (f32 or vec4f), and a T has `width` numbers. A workgroup reads all columns and writes one panel of
// them.
// uses: closeness, neighbourhood, team-sums, threads
// requires: shuffleXor(x, mask, local), total(x)
// constants: T, EACH, PANELS, TO_VALUES, TO_X
// params: rows u32, cols u32, temperature f32, width u32
// writes: terms vec4f, dValues f32, medianGrad T
// reads: X T, kept vec4f, median T, dY T, Y T

var<workgroup> starts: array<u32, THREADS>;
var<workgroup> pulls: array<f32, THREADS>;

fn innerOf(i: u32, W: f32, local: u32) -> f32 {
  var inner = 0.0;
  for (var p = 0u; p < PANELS; p++) {
    let c = p * TEAM + local % TEAM;
    let at = i * params.cols + min(c, params.cols - 1u);
    inner += select(0.0, total(dY[at] * Y[at]), c < params.cols);
  }
  for (var mask = TEAM / 2u; mask > 0u; mask >>= 1u) { inner += shuffleXor(inner, mask, local); }
  return select(0.0, inner / W, W > 0.0);
}

@compute @workgroup_size(THREADS)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let index = groupIndex(group);
  if (index >= params.rows * PANELS) { return; }
  let i = select(index % params.rows, index, PANELS == 1u);
  let panel = select(index / params.rows, 0u, PANELS == 1u);
  let row = rowAt(i);
  let team = local & TEAM; // the first of the team's 16 entries
  let c = panel * TEAM + local % TEAM;
  let isThere = c < params.cols;
  let own = i * params.cols + min(c, params.cols - 1u);
  let m = select(T(0.0), median[own], isThere);
  let g = select(T(0.0), dY[own], isThere);
  let ofRow = kept[i];
  let W = ofRow.z;
  let inner = innerOf(i, W, local);
  let cols = f32(params.cols * params.width);
  var sum = T(0.0);
  for (var first = row.first; first < row.last; first += THREADS) {
    let e = first + local;
    let weight = weightAt(row, e);
    workgroupBarrier();
    starts[local] = startAt(row, e);
    workgroupBarrier();
    var x: array<T, EACH>;
    for (var t = 0u; t < EACH; t++) { x[t] = X[starts[team + t] + min(c, params.cols - 1u)]; }
    if (!isThere) { x = array<T, EACH>(); }
    var dots: array<f32, EACH>;
    var squares: array<f32, EACH>;
    for (var t = 0u; t < EACH; t++) {
      dots[t] = total(g * x[t]);
      squares[t] = total((x[t] - m) * (x[t] - m));
    }
    if (PANELS > 1u) {
      for (var other = local % TEAM; other < params.cols; other += TEAM) {
        if (other == c) { continue; }
        let at = i * params.cols + other;
        for (var t = 0u; t < EACH; t++) {
          let y = X[starts[team + t] + other];
          dots[t] += total(dY[at] * y);
          squares[t] += total((y - median[at]) * (y - median[at]));
        }
      }
    }
    let dot = sumTeam(dots, local);
    let distance = sqrt(sumTeam(squares, local) / cols);
    let share = closeness(distance, ofRow.x) * ofRow.y; // W · share
    let excess = dot - inner;
    if (TO_VALUES == 1u && panel == 0u && e < row.last) { dValues[e] = share * excess + inner; }
    if (TO_X == 0u) { continue; }
    let pull = weight * share * excess / (params.temperature * cols * distance);
    workgroupBarrier();
    pulls[local] = select(pull, 0.0, distance == 0.0);
    workgroupBarrier();
    for (var t = 0u; t < EACH; t++) { sum += pulls[team + t] * (x[t] - m); }
  }
  if (TO_X == 0u) { return; }
  sum = sumOfTeams(sum, local);
  if (local < TEAM && isThere) { medianGrad[own] = sum; }
  if (local == 0u && panel == 0u) { terms[i] = vec4f(ofRow.xy, inner, ofRow.w); }
}
