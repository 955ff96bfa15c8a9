// Sums over a team without subgroups: through workgroup memory, where each thread finds what its team has of its neighbour.
var<workgroup> ofTeams: array<f32, SIDE * TEAM>;

fn sumTeam(ofNeighbours: array<f32, TEAM>, local: u32) -> f32 {
  for (var t = 0u; t < TEAM; t++) { ofTeams[t * SIDE + local] = ofNeighbours[t]; }
  workgroupBarrier();
  let first = local % TEAM * SIDE + local / TEAM * TEAM;
  var sum = 0.0;
  for (var l = 0u; l < TEAM; l += 4u) { // by fours: fewer roundings in a row
    sum += (ofTeams[first + l] + ofTeams[first + l + 1u]) + (ofTeams[first + l + 2u] + ofTeams[first + l + 3u]);
  }
  workgroupBarrier();
  return sum;
}
