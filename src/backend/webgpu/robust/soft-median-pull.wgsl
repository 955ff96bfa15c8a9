// dX_j = Σ_i direct_ij G_i + pull_ij (X_j − M_i) over the entries (j, i) of a transposed matrix with values a; a
// workgroup per row or piece of a row. direct = a · W · share and pull = −direct (⟨G_i, X_j⟩ − ē) / (T cols c), 0 where
// c = 0: distances c and shares are computed again from the gathered rows and from terms_i = (largest exponent, W / Z,
// ē, whether medians are shared), which row i has written. Where j holds the median M_ic, heldGrad_ic is added, once
// even if the entry is there twice. j holds it if X_jc = M_ic and, where medians of row i may be shared, holder_ic = j.
//
// A launch is for the rows i in begin … end − 1, so that what it gathers of G and M stays in the cache. `cols` counts
// in T (f32 or vec4f; I is the same of i32), and a T has `width` numbers. A workgroup reads all columns and writes one
// panel of them: of row j of dX, or of `partial` for a further piece of the row (long-row.wgsl). `further` workgroups
// per panel share these pieces.
// uses: closeness, long-row, neighbourhood, team-sums, threads
// requires: total(x)
// constants: T, I, EACH, PANELS
// params: rows u32, cols u32, temperature f32, width u32, begin u32, end u32, further u32, accumulate u32, accumulatePartial u32
// writes: dX T, partial T
// reads: pieces u32, colIdx u32, terms vec4f, G T, M T, X T, heldGrad T, holder I

const NEVER = -1.0; // ofRow.w of an entry that passes on no median's gradient
var<workgroup> starts: array<u32, THREADS>;
var<workgroup> values: array<f32, THREADS>;
var<workgroup> ofRows: array<vec4f, THREADS>;
var<workgroup> range: vec2u;
var<workgroup> both: array<vec2f, 2u * EACH>; // direct and pull

// The entries of a piece whose columns are in the range of this launch; columns ascend.
fn inRange(row: Row, local: u32) -> Row {
  if (params.begin == 0u && params.end == 0xffffffffu) { return row; }
  var before = 0.0;
  var upTo = 0.0;
  for (var e = row.first + local; e < row.last; e += THREADS) {
    before += select(0.0, 1.0, colIdx[e] < params.begin);
    upTo += select(0.0, 1.0, colIdx[e] < params.end);
  }
  let counts = vec2u(u32(sumAll(before, local)), u32(sumAll(upTo, local)));
  if (local == 0u) { range = row.first + counts; }
  let found = workgroupUniformLoad(&range);
  return Row(found.x, found.y);
}

fn shareEntries(firstOfRow: u32, row: Row, e: u32, local: u32) {
  let at = min(e, row.last - 1u);
  let i = colIdx[at];
  var ofRow = terms[i];
  if (e >= row.last) { ofRow.w = NEVER; }
  if (at > firstOfRow) {
    if (colIdx[at - 1u] == i) { ofRow.w = NEVER; }
  }
  let value = weightAt(row, e);
  workgroupBarrier();
  starts[local] = i * params.cols;
  values[local] = value;
  ofRows[local] = ofRow;
  workgroupBarrier();
}

// The sum of heldGrad over the medians that row j holds, of the entries whose bits are set: bit b is entry 2 b + team.
fn sumHeld(bits: u32, j: u32, x: T, c: u32, team: u32) -> T {
  var sum = T(0.0);
  for (var rest = bits; rest != 0u; rest &= rest - 1u) {
    let k = 2u * firstTrailingBit(rest) + team;
    let ties = ofRows[k].w;
    if (ties == NEVER) { continue; }
    let place = starts[k] + c;
    var isHeld = x == M[place];
    if (ties > 0.0) { isHeld = isHeld & (holder[place] == I(i32(j))); }
    sum += select(T(0.0), heldGrad[place], isHeld);
  }
  return sum;
}

fn pullPiece(slot: u32, panel: u32, local: u32) {
  let isFirst = slot < params.rows;
  var piece = vec2u(slot, 0u); // row and number
  let further = slot - params.rows;
  if (!isFirst) { piece = vec2u(pieces[2u * further + 2u], pieces[2u * further + 3u]); }
  let j = piece.x;
  let all = rowAt(j);
  let bounds = pieceOf(piece.y, all.first, all.last);
  let row = inRange(Row(bounds.x, bounds.y), local);
  let team = local / TEAM;
  let ofThread = panel * TEAM + local % TEAM;
  let isThere = ofThread < params.cols;
  let c = min(ofThread, params.cols - 1u);
  let own = j * params.cols + c;
  let x = X[own];
  let cols = f32(params.cols * params.width);
  var sum = T(0.0);
  for (var first = row.first; first < row.last; first += THREADS) {
    shareEntries(all.first, row, first + local, local);
    var hits = 0u; // entries whose median j may hold; read together later, so that their loads overlap
    for (var part = 0u; part < min(THREADS, row.last - first); part += 2u * EACH) {
      var g: array<T, EACH>;
      var d: array<T, EACH>;
      for (var t = 0u; t < EACH; t++) {
        let place = starts[part + 2u * t + team] + c;
        g[t] = G[place];
        d[t] = M[place];
      }
      for (var t = 0u; t < EACH; t++) {
        d[t] = x - d[t];
        hits |= select(0u, 1u << (part / 2u + t), any(d[t] == T(0.0)));
      }
      var dots: array<f32, EACH>;
      var squares: array<f32, EACH>;
      for (var t = 0u; t < EACH; t++) {
        dots[t] = select(0.0, total(g[t] * x), isThere);
        squares[t] = select(0.0, total(d[t] * d[t]), isThere);
      }
      if (PANELS > 1u) {
        for (var other = local % TEAM; other < params.cols; other += TEAM) {
          if (other == ofThread) { continue; }
          let y = X[j * params.cols + other];
          for (var t = 0u; t < EACH; t++) {
            let place = starts[part + 2u * t + team] + other;
            let difference = y - M[place];
            dots[t] += total(G[place] * y);
            squares[t] += total(difference * difference);
          }
        }
      }
      let dot = sumTeam(dots, local);
      let distance = sqrt(sumTeam(squares, local) / cols);
      let k = 2u * (local % TEAM / (TEAM / EACH)) + team;
      let ofRow = ofRows[part + k];
      let direct = values[part + k] * closeness(distance, ofRow.x) * ofRow.y;
      let pull = -direct * (dot - ofRow.z) / (params.temperature * cols * distance);
      workgroupBarrier();
      both[k] = vec2f(direct, select(pull, 0.0, distance == 0.0));
      workgroupBarrier();
      for (var t = 0u; t < EACH; t++) { sum += both[2u * t + team].x * g[t] + both[2u * t + team].y * d[t]; }
    }
    sum += sumHeld(hits, j, x, c, team);
  }
  sum = sumOfTeams(sum, local);
  if (local >= TEAM || !isThere) { return; }
  if (isFirst) {
    if (params.accumulate == 1u) { sum += dX[own]; }
    dX[own] = sum;
  } else {
    let at = further * params.cols + c;
    if (params.accumulatePartial == 1u) { sum += partial[at]; }
    partial[at] = sum;
  }
}

@compute @workgroup_size(THREADS)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let index = groupIndex(group);
  let slots = params.rows + params.further;
  if (index >= slots * PANELS) { return; }
  let first = select(index % slots, index, PANELS == 1u);
  let panel = select(index / slots, 0u, PANELS == 1u);
  for (var slot = first; slot < params.rows + pieces[0]; slot += params.further) {
    pullPiece(slot, panel, local);
    if (slot < params.rows) { break; }
  }
}
