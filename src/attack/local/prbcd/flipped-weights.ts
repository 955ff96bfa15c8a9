/** Weights of a block with the candidates at some places flipped, as far as a relaxed flip goes. */
export function flippedWeights(size: number, places: readonly number[], floor: number): Float64Array {
  const weights = new Float64Array(size).fill(floor);
  for (const place of places) weights[place] = 1 - floor;
  return weights;
}
