// The declarations of columns-vec2f.wgsl with numbers stored as halves: two columns are read in one word.
// requires: sumLanes(x, local)
alias Columns = vec2f;
alias Stored = u32;
const COLUMNS = 2u;
const SCALE = 16384.0; // numbers are below 2, and the largest half is 65,504
fn stored(x: Columns) -> Stored { return pack2x16float(x); }
fn loaded(x: Stored) -> Columns { return unpack2x16float(x); }
fn columnOf(x: Columns, c: u32) -> f32 { return x[c]; }
fn unitColumn(c: u32) -> Columns { return select(vec2f(0.0), vec2f(1.0), vec2u(0u, 1u) == vec2u(c)); }
fn sumTeam(x: Columns, local: u32) -> Columns { return vec2f(sumLanes(x.x, local), sumLanes(x.y, local)); }
