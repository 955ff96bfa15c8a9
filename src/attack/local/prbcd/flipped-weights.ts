/**
 * Weights of a block: 1 − floor, the most that a relaxed flip reaches, for the candidates at `places`, and the floor
 * for the others.
 */
export function flippedWeights(size: number, places: readonly number[], floor: number): Float64Array {
  const weights = new Float64Array(size).fill(floor);
  for (const place of places) weights[place] = 1 - floor;
  return weights;
}
