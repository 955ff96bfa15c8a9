// What thread local ^ mask has, in workgroups of 32 threads that are one subgroup.
fn across(x: f32, mask: u32, local: u32) -> f32 { return subgroupShuffleXor(x, mask); }
fn acrossT(x: T, mask: u32, local: u32) -> T { return subgroupShuffleXor(x, mask); }
