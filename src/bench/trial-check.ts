/** The effect of a change, as a trial computed it. */
export interface TrialGain {
  readonly score: number;
  readonly potential: number;
}

/** A node that is this close to another class may be counted either way. */
const TIE = 1e-5;
/** Rounding may account for this share of the summed effect on all nodes. */
const TOLERANCE = 1e-3;

/** What is wrong with a gain, in words, or null, by the margins of whole passes before and after the change. */
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

/** The term of one margin in the potential. */
function bounded(margin: number): number {
  return margin / (1 + Math.abs(margin));
}
