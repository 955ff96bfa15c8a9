// The plan of a new block, which keeps no pairs.
// uses: draw-plan

@compute @workgroup_size(1)
fn main() { writePlan(0u); }
