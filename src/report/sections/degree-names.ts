/** Names of the first bins of degrees: 0, 1, 2–3, 4–7 and so on. */
export function degreeNames(numBins: number): string[] {
  return Array.from({ length: numBins }, (_, bin) => {
    const first = bin === 0 ? 0 : 2 ** (bin - 1);
    const last = bin === 0 ? 0 : 2 ** bin - 1;
    return first === last ? String(first) : `${first}–${last}`;
  });
}

/** An axis of degrees. It shows only the last degree of each bin, because there is no room for ranges. */
export const DEGREE_AXIS = { title: "degree, up to", labelExpr: "slice(datum.label, 1 + indexof(datum.label, '–'))" };
