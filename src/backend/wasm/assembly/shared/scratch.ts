/** Address of this thread's scratch memory, which a kernel may use while it works on a chunk; set once per thread. */
export let scratch: usize = 0;

export function setScratch(address: usize): void {
  scratch = address;
}
