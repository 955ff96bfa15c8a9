// Two columns of a matrix side by side: how a thread has them (Columns) and how they are stored (Stored), one of them
// (columnOf), 1 in column c and 0 in the other, or 0 in both if there is no column c (unitColumn), and their sums over
// a team of threads (sumTeam).
// requires: sumLanes(x, local)
alias Columns = vec2f;
alias Stored = vec2f;
const COLUMNS = 2u;
const SCALE = 1.0;
fn stored(x: Columns) -> Stored { return x; }
fn loaded(x: Stored) -> Columns { return x; }
fn columnOf(x: Columns, c: u32) -> f32 { return x[c]; }
fn unitColumn(c: u32) -> Columns { return select(vec2f(0.0), vec2f(1.0), vec2u(0u, 1u) == vec2u(c)); }
fn sumTeam(x: Columns, local: u32) -> Columns { return vec2f(sumLanes(x.x, local), sumLanes(x.y, local)); }
