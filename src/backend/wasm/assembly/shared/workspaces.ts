// Workspaces that threads take for a chunk of rows and give back. The host describes them by a record of words: how many there are,
// the bytes from one to the next, the address of the first, the entries of the longest row they have room for, then a lock for each.

const STRIDE: usize = 4;
const FIRST: usize = 8;
const LONGEST: usize = 12;
const LOCKS: usize = 16;

/** The address of a workspace that no other thread has. There are as many as threads, so that one is always free. */
export function takeWorkspace(workspaces: usize): usize {
  const count = load<usize>(workspaces);
  let slot: usize = 0;
  while (atomic.cmpxchg<i32>(workspaces + LOCKS + (slot << 2), 0, 1) !== 0) slot = slot + 1 < count ? slot + 1 : 0;
  return load<usize>(workspaces, FIRST) + slot * load<usize>(workspaces, STRIDE);
}

/** Entries of the longest row that the workspaces have room for. */
export function longestRow(workspaces: usize): i32 {
  return load<i32>(workspaces, LONGEST);
}

export function giveWorkspace(workspaces: usize, workspace: usize): void {
  const slot = (workspace - load<usize>(workspaces, FIRST)) / load<usize>(workspaces, STRIDE);
  atomic.store<i32>(workspaces + LOCKS + (slot << 2), 0);
}
