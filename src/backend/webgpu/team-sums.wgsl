// Two teams of 16 threads: thread l of a team has column l, a T (f32 or vec4f), of a panel of the row or rows that its team looks at.
const TEAM = 16u;

// Sums over a team of what its threads have of EACH entries: a thread gets that of entry l / (TEAM / EACH). In each step a thread keeps
// half of them and gives the other half to a thread that keeps those.
fn sumTeam(ofEntries: array<f32, EACH>, local: u32) -> f32 {
  var v = ofEntries;
  var mask = TEAM / 2u;
  for (var half = EACH / 2u; half > 0u; half >>= 1u) {
    let isHigh = (local & mask) != 0u;
    for (var t = 0u; t < half; t++) {
      v[t] = select(v[t], v[t + half], isHigh) + across(select(v[t + half], v[t], isHigh), mask, local);
    }
    mask >>= 1u;
  }
  var sum = v[0];
  for (; mask > 0u; mask >>= 1u) { sum += across(sum, mask, local); }
  return sum;
}

// The sum of both teams, column by column.
fn sumOfTeams(x: T, local: u32) -> T { return x + acrossT(x, TEAM, local); }
