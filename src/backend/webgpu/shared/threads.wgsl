// What every kernel starts with: workgroups of 256, numbered over two grid dimensions (one alone ends at 65,535).
const WORKGROUP = 256u;

fn groupIndex(group: vec3u, groups: vec3u) -> u32 {
  return group.x + group.y * groups.x;
}

fn threadIndex(group: vec3u, groups: vec3u, local: u32) -> u32 {
  return groupIndex(group, groups) * WORKGROUP + local;
}
