/** Names of the first bins of degrees: 0, 1, 2–3, 4–7 and so on. */
export function degreeNames(numBins: number): string[] {
  return Array.from({ length: numBins }, (_, bin) => {
    const first = bin === 0 ? 0 : 2 ** (bin - 1);
    const last = bin === 0 ? 0 : 2 ** bin - 1;
    return first === last ? String(first) : `${first}–${last}`;
  });
}

/** Degrees along an axis, on which there is room for the last degree of each bin only. */
export const DEGREE_AXIS = { title: "degree, up to", labelExpr: "slice(datum.label, 1 + indexof(datum.label, '–'))" };
