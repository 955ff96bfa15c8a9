import { Rng } from "../../core/rng.ts";

const DRAWS = 2000;

/**
 * Bootstrap interval of the mean: the middle 95% of the means of values drawn from these with replacement. The same
 * values give the same interval; null for fewer than two values.
 */
export function bootstrapInterval(values: readonly number[], confidence = 0.95): readonly [number, number] | null {
  const { length } = values;
  if (length < 2) return null;
  const rng = new Rng(0, length);
  const means = new Float64Array(DRAWS);
  for (let draw = 0; draw < DRAWS; draw++) {
    let sum = 0;
    for (let k = 0; k < length; k++) sum += values[rng.integer(length)];
    means[draw] = sum / length;
  }
  means.sort();
  const outside = (1 - confidence) / 2;
  return [means[Math.floor(outside * DRAWS)], means[Math.ceil((1 - outside) * DRAWS) - 1]];
}
