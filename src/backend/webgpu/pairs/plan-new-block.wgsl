// The plan of a block of which nothing is kept.
// uses: draw-plan

@compute @workgroup_size(1)
fn main() { writePlan(0u); }
