// The value of thread local ^ mask in workgroups of 32 threads that are one subgroup.
// constants: T

fn shuffleXor(x: f32, mask: u32, local: u32) -> f32 { return subgroupShuffleXor(x, mask); }
fn shuffleXorT(x: T, mask: u32, local: u32) -> T { return subgroupShuffleXor(x, mask); }
