/** The bin of a degree. Bins double: 0, 1, 2–3, 4–7, 8–15 and so on, because few nodes have many neighbours. */
export function degreeBin(degree: number): number {
  return 32 - Math.clz32(degree);
}

/** Number of degrees in each bin, up to the last bin that is not empty. */
export function countDegrees(degrees: ArrayLike<number>): number[] {
  const counts: number[] = [];
  for (let k = 0; k < degrees.length; k++) countUp(counts, degreeBin(degrees[k]));
  return counts;
}

/** Adds to an element of a list, which grows as needed. */
export function countUp(counts: number[], place: number, by = 1): void {
  while (counts.length <= place) counts.push(0);
  counts[place] += by;
}
