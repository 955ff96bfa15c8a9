// The place of a thread in the grid, for every kernel. Workgroups are numbered over two dimensions: one alone ends at
// 65,535.
const WORKGROUP = 256u; // threads per workgroup

struct Workgroup { @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u }

fn groupIndex(group: Workgroup) -> u32 { return group.id.x + group.id.y * group.count.x; }
fn threadIndex(group: Workgroup, local: u32) -> u32 { return groupIndex(group) * WORKGROUP + local; }
