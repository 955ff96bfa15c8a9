/** Places of the values above a threshold, ascending. */
export function placesAbove(values: Float64Array, threshold: number): number[] {
  const places: number[] = [];
  for (let e = 0; e < values.length; e++) if (values[e] > threshold) places.push(e);
  return places;
}
