// The plan of a block of which nothing is kept.
struct Params { length: u32, numNodes: u32, directed: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> plan: array<u32>;

@compute @workgroup_size(1)
fn main() { writePlan(0u); }
