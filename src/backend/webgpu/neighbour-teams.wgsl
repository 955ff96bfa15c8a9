// The workgroup of a neighbourhood as four teams of 16 threads: thread l of team g has the T (f32 or vec4f) number l of a panel of
// columns, of neighbours 16 g … 16 g + 15 in x. The file after this one takes sums over a team (sumTeam).
const TEAM = 16u;
const TEAMS = SIDE / TEAM;
var<private> x: array<T, TEAM>;
var<workgroup> teamSums: array<T, SIDE>;

// Column c of the neighbours of a team; where they start is told.
fn load(team: u32, c: u32) {
  for (var q = 0u; q < TEAM / 4u; q++) {
    let at = starts[team * (TEAM / 4u) + q] + c;
    x[4u * q] = X[at.x];
    x[4u * q + 1u] = X[at.y];
    x[4u * q + 2u] = X[at.z];
    x[4u * q + 3u] = X[at.w];
  }
}

// Σ_k number_k (x_k − origin) in column c; the threads of the first team know it.
fn weighedSum(origin: T, local: u32) -> T {
  var sum = T(0.0);
  for (var q = 0u; q < TEAM / 4u; q++) {
    let number = numbers[local / TEAM * (TEAM / 4u) + q];
    sum += number.x * (x[4u * q] - origin);
    sum += number.y * (x[4u * q + 1u] - origin);
    sum += number.z * (x[4u * q + 2u] - origin);
    sum += number.w * (x[4u * q + 3u] - origin);
  }
  teamSums[local] = sum;
  workgroupBarrier();
  let all = (sum + teamSums[(local + TEAM) % SIDE])
    + (teamSums[(local + 2u * TEAM) % SIDE] + teamSums[(local + 3u * TEAM) % SIDE]);
  workgroupBarrier();
  return all;
}
