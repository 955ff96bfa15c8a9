/**
 * P(0), …, P(trials): the probability of each number of successes, if each trial succeeds with probability `success`.
 * Adds one trial after the other: all terms are positive, so that even the smallest masses are exact to the last
 * digits.
 */
export function binomial(trials: number, success: number): Float64Array {
  const trial = Float64Array.of(1 - success, success);
  let masses = Float64Array.of(1);
  for (let t = 0; t < trials; t++) masses = convolved(masses, trial);
  return masses;
}

/** How likely each sum of two independent counts is. */
export function convolved(left: Float64Array, right: Float64Array): Float64Array<ArrayBuffer> {
  const masses = new Float64Array(left.length + right.length - 1);
  for (let i = 0; i < left.length; i++) {
    for (let j = 0; j < right.length; j++) masses[i + j] += left[i] * right[j];
  }
  return masses;
}
