// Workspaces that threads take for a chunk of rows and give back: one lock word per workspace.

/** Waits for none: there are as many workspaces as threads. */
export function takeSlot(locks: usize, slots: i32): i32 {
  let slot = 0;
  while (atomic.cmpxchg<i32>(locks + ((<usize>slot) << 2), 0, 1) !== 0) slot = slot + 1 < slots ? slot + 1 : 0;
  return slot;
}

export function giveSlot(locks: usize, slot: i32): void {
  atomic.store<i32>(locks + ((<usize>slot) << 2), 0);
}
