/** Storage of this thread, for whatever a kernel needs while it works on a chunk; set once per thread. */
export let scratch: usize = 0;

export function setScratch(address: usize): void {
  scratch = address;
}
