// Weighted median of one column over the neighbours of a row. An interval (low, high] that contains it is narrowed by sums of the
// weights above a point, first around the mean, by steps that would be right for a normal distribution, then where half of the
// weight would lie if it were spread evenly, a bit further, so that both ends move. When few neighbours are left in the
// interval they are compared with each other. Should they not get few, because many are equal or their sizes differ
// wildly, the least of the interval is tried, and the middle of the integers that order floats.
//
// Weights are whole numbers with a sum below 2^24, times one power of two: their sums are exact in f32, so that exactly
// half is recognised.
const FEW = 8u;
const PATIENCE = 6u; // rounds before anything else is tried
const EVEN = 2.5; // the inverse of a normal distribution's density in the middle, in standard deviations
const OVERSHOOT = 1.2;
const BEYOND = 1.5; // neighbours by which a cut lies further than expected, so that the nearer end moves too

// The weight of the neighbours above a point, and which they are: neighbour 4 t + i is bit t of number i (LONG: how many).
struct Above { weight: f32, marks: vec4u }

fn wholeWeights(row: Row, t: u32, scale: f32) -> vec4f {
  if (LONG == 0u) { return numbers[t]; }
  let e = row.first + 4u * t;
  return round(vec4f(weightAt(row, e), weightAt(row, e + 1u), weightAt(row, e + 2u), weightAt(row, e + 3u)) * scale);
}

fn above(row: Row, p: f32, c: u32, scale: f32) -> Above {
  var weights = vec4f(0.0);
  var marks = vec4f(0.0); // sums of powers of two: a GPU multiplies and adds faster than it masks
  for (var t = 0u; t < quadsOf(row); t++) {
    let isAbove = select(vec4f(0.0), vec4f(1.0), valuesAt(row, t, c) > vec4f(p));
    weights = fma(isAbove, wholeWeights(row, t, scale), weights);
    marks = fma(isAbove, vec4f(f32(1u << select(t, 0u, LONG == 1u))), marks);
  }
  return Above(totalOf(weights), vec4u(marks));
}

fn leastAbove(row: Row, p: f32, c: u32) -> f32 {
  var least = vec4f(bitcast<f32>(0x7f7fffffu));
  for (var t = 0u; t < quadsOf(row); t++) {
    let values = valuesAt(row, t, c);
    least = min(least, select(least, values, values > vec4f(p)));
  }
  return min(min(least.x, least.y), min(least.z, least.w));
}

// Bits of the neighbours of a row that are there.
fn presentMarks(row: Row) -> vec4u {
  let length = vec4u(row.last - row.first) + vec4u(3u, 2u, 1u, 0u);
  return (vec4u(1u) << (length / 4u)) - 1u;
}

struct Median { value: f32, place: u32 }

// The median among up to FEW neighbours, given as bits, and what weighs `weightBelow` lies below them all.
fn medianOfFew(marks: vec4u, c: u32, weightBelow: f32, total: f32) -> Median {
  var pairs = vec2u(marks.x | (marks.y << 16u), marks.z | (marks.w << 16u));
  var values: array<f32, FEW>;
  var weights: array<f32, FEW>;
  var places: array<u32, FEW>;
  for (var f = 0u; f < FEW; f++) {
    let isFirst = pairs.x != 0u;
    let bits = select(pairs.y, pairs.x, isFirst);
    let bit = firstLeadingBit(bits); // none is left: the last neighbour, without weight
    let k = 4u * (bit & 15u) + ((bit >> 4u) & 1u) + select(2u, 0u, isFirst);
    places[f] = k;
    values[f] = X[starts[k >> 2u][k & 3u] + c];
    weights[f] = select(0.0, numbers[k >> 2u][k & 3u], bits != 0u);
    let rest = bits & ~(1u << (bit & 31u));
    pairs = select(vec2u(0u, rest), vec2u(rest, pairs.y), isFirst);
  }
  var median = Median(bitcast<f32>(0xff7fffffu), SIDE); // the largest with less than half below it
  for (var f = 0u; f < FEW; f++) {
    var below = weightBelow;
    for (var g = 0u; g < FEW; g++) { below = fma(select(0.0, 1.0, values[g] < values[f]), weights[g], below); }
    if (2.0 * below < total && weights[f] > 0.0) { median.value = max(median.value, values[f]); }
  }
  for (var f = 0u; f < FEW; f++) {
    median.place = select(median.place, min(median.place, places[f]), values[f] == median.value);
  }
  return median;
}

// A median found among all neighbours, and the first that has it.
fn firstWith(row: Row, value: f32, c: u32) -> Median {
  var place = 0xffffffffu;
  for (var t = 0u; t < quadsOf(row); t++) {
    let places = 4u * t + vec4u(0u, 1u, 2u, 3u);
    let equal = select(vec4u(0xffffffffu), places, valuesAt(row, t, c) == vec4f(value));
    place = min(place, min(min(equal.x, equal.y), min(equal.z, equal.w)));
  }
  return Median(value, place);
}

// How the weight of a column lies: what the first cuts are guessed from.
struct Spread { mean: f32, deviation: f32 }

fn spreadOf(row: Row, c: u32, scale: f32, total: f32) -> Spread {
  var firstMoment = vec4f(0.0);
  var secondMoment = vec4f(0.0);
  for (var t = 0u; t < quadsOf(row); t++) {
    let values = valuesAt(row, t, c);
    let weighed = values * wholeWeights(row, t, scale);
    firstMoment += weighed;
    secondMoment = fma(weighed, values, secondMoment);
  }
  let mean = totalOf(firstMoment) / max(total, 1.0);
  return Spread(mean, sqrt(max(totalOf(secondMoment) / max(total, 1.0) - mean * mean, 0.0)));
}

fn medianOf(row: Row, c: u32, scale: f32, total: f32, lowest: f32) -> Median {
  let spread = spreadOf(row, c, scale, total);
  var low = lowest;
  var high = -lowest;
  var lower = Above(total, presentMarks(row));
  if (LONG == 1u) { lower.marks = vec4u(row.last - row.first, 0u, 0u, 0u); }
  var upper = Above(0.0, vec4u(0u));
  var at = spread.mean;
  var isTried = false;
  for (var round = 0u; ; round++) {
    var left = lower.marks - upper.marks;
    if (LONG == 0u) { left = countOneBits(lower.marks & ~upper.marks & presentMarks(row)); }
    let count = (left.x + left.y) + (left.z + left.w);
    if (LONG == 0u && count <= FEW && total > 0.0) {
      isTried = false;
      break;
    }
    if (low > lowest && high < -lowest) {
      let n = f32(count);
      let expected = n * saturate((lower.weight - 0.5 * total) / max(lower.weight - upper.weight, 1.0));
      let further = clamp(expected + select(-BEYOND, BEYOND, expected < 0.5 * n), 0.5, n - 0.5);
      at = low + (high - low) * select(0.5, further / n, round % 4u != 0u);
    } else if (round > 0u) {
      let lack = select(0.5 - upper.weight / max(total, 1.0), lower.weight / max(total, 1.0) - 0.5, low > lowest);
      let sign = select(-1.0, 1.0, low > lowest);
      at += spread.deviation * EVEN * sign * (OVERSHOOT * lack + BEYOND / f32(SIDE) * f32(round));
    }
    if (!(at > low && at < high) || (round >= PATIENCE && round % 4u == 0u)) {
      at = keyValue((orderKey(low) >> 1u) + (orderKey(high) >> 1u));
    }
    isTried = round >= PATIENCE && round % 2u == 1u;
    if (isTried) { at = leastAbove(row, low, c); }
    let cut = above(row, at, c, scale);
    if (2.0 * cut.weight <= total) {
      if (isTried) { break; }
      high = at;
      upper = cut;
    } else {
      low = at;
      lower = cut;
    }
  }
  if (isTried) { return firstWith(row, at, c); }
  return medianOfFew(lower.marks & ~upper.marks & presentMarks(row), c, total - lower.weight, total);
}
