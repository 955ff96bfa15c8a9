/** What a change was found to do. */
export interface TrialGain {
  readonly score: number;
  readonly potential: number;
}

/** A node that is this close to another class may be counted either way. */
const TIE = 1e-5;
/** Of what a change does to all nodes together, rounding may hide this share. */
const TOLERANCE = 1e-3;

/** What is wrong with a gain, in words, or null: compares with the margins of a whole pass before the change and after it. */
export function disagreement(
  { score, potential }: TrialGain,
  before: ArrayLike<number>,
  after: ArrayLike<number>,
): string | null {
  let positive = 0;
  let ties = 0;
  let sum = 0;
  let moved = 0;
  for (let k = 0; k < before.length; k++) {
    const change = bounded(after[k]) - bounded(before[k]);
    positive += Number(after[k] > 0) - Number(before[k] > 0);
    ties += Number(change !== 0 && Math.min(Math.abs(before[k]), Math.abs(after[k])) < TIE);
    sum += change;
    moved += Math.abs(change);
  }
  if (Math.abs(score - positive) > ties) return `a change of the score is ${score} instead of ${positive}`;
  if (!(Math.abs(potential - sum) <= TOLERANCE * moved)) return `a potential changes by ${potential} instead of ${sum}`;
  return null;
}

/** How a margin enters the potential of a change. */
function bounded(margin: number): number {
  return margin / (1 + Math.abs(margin));
}
