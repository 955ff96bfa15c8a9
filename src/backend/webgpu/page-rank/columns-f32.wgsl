// One column of a matrix: what columns-vec2f.wgsl has for two.
// requires: sumLanes(x, local)
alias Columns = f32;
const COLUMNS = 1u;
fn columnOf(x: Columns, c: u32) -> f32 { return x; }
fn unitColumn(c: u32) -> Columns { return select(0.0, 1.0, c == 0u); }
fn sumTeam(x: Columns, local: u32) -> Columns { return sumLanes(x, local); }
