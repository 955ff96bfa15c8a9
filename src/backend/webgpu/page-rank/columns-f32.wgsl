// The declarations of columns-vec2f.wgsl for one column instead of two.
// requires: sumLanes(x, local)
alias Columns = f32;
alias Stored = f32;
const COLUMNS = 1u;
const SCALE = 1.0;
fn stored(x: Columns) -> Stored { return x; }
fn loaded(x: Stored) -> Columns { return x; }
fn columnOf(x: Columns, c: u32) -> f32 { return x; }
fn unitColumn(c: u32) -> Columns { return select(0.0, 1.0, c == 0u); }
fn sumTeam(x: Columns, local: u32) -> Columns { return sumLanes(x, local); }
