// Two teams of 16 threads: thread l of a team has column l, a T (f32 or vec4f), of a panel of columns, for its team's
// entries.
// requires: shuffleXor(x, mask, local), shuffleXorT(x, mask, local)
// constants: T, EACH

const TEAM = 16u;

// Sums over a team for each of EACH entries (at most 16): thread l gets the sum of entry l / (TEAM / EACH). While a
// thread has several entries, it keeps half of them in each step and gives the other half to the thread that keeps
// those. Loops have constant bounds, because only then do the numbers stay in registers.
fn sumTeam(ofEntries: array<f32, EACH>, local: u32) -> f32 {
  var v = ofEntries;
  let isHigh = vec4<bool>((local & 8u) != 0u, (local & 4u) != 0u, (local & 2u) != 0u, (local & 1u) != 0u);
  for (var t = 0u; t < EACH / 2u; t++) {
    v[t] = select(v[t], v[t + EACH / 2u], isHigh.x) + shuffleXor(select(v[t + EACH / 2u], v[t], isHigh.x), 8u, local);
  }
  for (var t = 0u; t < EACH / 4u; t++) {
    v[t] = select(v[t], v[t + EACH / 4u], isHigh.y) + shuffleXor(select(v[t + EACH / 4u], v[t], isHigh.y), 4u, local);
  }
  for (var t = 0u; t < EACH / 8u; t++) {
    v[t] = select(v[t], v[t + EACH / 8u], isHigh.z) + shuffleXor(select(v[t + EACH / 8u], v[t], isHigh.z), 2u, local);
  }
  for (var t = 0u; t < EACH / 16u; t++) {
    v[t] = select(v[t], v[t + EACH / 16u], isHigh.w) + shuffleXor(select(v[t + EACH / 16u], v[t], isHigh.w), 1u, local);
  }
  if (EACH < 8u) { v[0] += shuffleXor(v[0], 2u, local); }
  if (EACH < 16u) { v[0] += shuffleXor(v[0], 1u, local); }
  return v[0];
}

// The sum of both teams, column by column.
fn sumOfTeams(x: T, local: u32) -> T { return x + shuffleXorT(x, TEAM, local); }
