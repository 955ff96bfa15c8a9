// The first two iterates of PageRank for `cols` columns from `begin` on: before = 0, and now = F / ρ, where F is the diagonal matrix with α√deg.
// uses: threads
// params: length u32, cols u32, begin u32, scale f32
// writes: before f32, now f32
// reads: degrees f32

@compute @workgroup_size(WORKGROUP)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let e = threadIndex(group, local);
  if (e >= params.length) { return; }
  let row = e / params.cols;
  before[e] = 0.0;
  now[e] = select(0.0, params.scale * sqrt(degrees[row]), row == params.begin + e % params.cols);
}
