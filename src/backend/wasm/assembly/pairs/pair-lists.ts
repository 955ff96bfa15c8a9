// Lists of `count` words one behind the other, as `collectPairs` leaves them: sources, targets and weights of pairs.

export function listedTargets(pairs: usize, count: i32): usize {
  return pairs + ((<usize>count) << 2);
}

export function listedWeights(pairs: usize, count: i32): usize {
  return pairs + ((<usize>count) << 3);
}
