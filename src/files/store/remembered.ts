/** Rows that are remembered, in entries. */
const MOST_ENTRIES = 2 ** 22;

/** The same function with a memory for what it returned, which is emptied when it is full: push asks for the same rows again and again. */
export function remembered(read: (row: number) => Int32Array): (row: number) => Int32Array {
  const known = new Map<number, Int32Array>();
  let entries = 0;
  return (row) => {
    const before = known.get(row);
    if (before) return before;
    const found = read(row);
    if (entries > MOST_ENTRIES) {
      known.clear();
      entries = 0;
    }
    known.set(row, found);
    entries += found.length + 1;
    return found;
  };
}
