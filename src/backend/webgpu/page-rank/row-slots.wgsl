// Which thread of a workgroup takes which rows of a graph, in rounds. Rows are in the order of rank-rows.wgsl, the
// longest first. The first `numLong` of them have more than LONG entries: a team of LANES threads shares one of these
// per round, for at most LANES rounds, and each belongs to one thread of the team, so that a thread owns one at most.
// Of the other rows, a thread takes one in each of ROWS rounds. 32 threads side by side are a warp, whose rows in a
// round are about equally long.
// constants: THREADS, LANES, ROWS

const WARP = 32u;
const WARPS = THREADS / WARP;
const TEAMS = THREADS / LANES;
const ROUNDS = LANES + ROWS;

// The place of the long row that the team of a thread shares in a round.
fn longPlace(round: u32, local: u32) -> u32 { return round * TEAMS + local / LANES; }

// The long row that a thread owns.
fn ownLongPlace(local: u32) -> u32 { return longPlace(local % LANES, local); }

// The place of a thread's row in a round, after the long rows. Every second round gives its longest rows to the last
// warp, so that no warp has the longest rows of all rounds. THREADS is a power of two.
fn shortPlace(numLong: u32, round: u32, local: u32) -> u32 {
  return numLong + round * THREADS + (local ^ select(0u, THREADS - WARP, round % 2u == 0u));
}
