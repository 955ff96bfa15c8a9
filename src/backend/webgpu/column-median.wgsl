// Weighted median of one column over the neighbours of a row, which are gathered again in every round. An interval (low, high] that
// contains it is narrowed by the weight above a point: first around the mean, then where half of the weight would lie if it were
// spread evenly, sometimes the middle of the integers that order floats; and later the least of the interval is tried, which ends it.
//
// Weights are whole numbers with a sum below 2^24, times one power of two: their sums are exact in f32, so that exactly
// half is recognised.
const PATIENCE = 6u; // rounds before the least is tried

struct Median { value: f32, place: u32, isShared: bool }
struct Above { weight: f32, count: f32 }

// The power of two by which weights with the sum W become whole numbers.
fn scaleOf(W: f32) -> f32 {
  let exponent = i32((bitcast<u32>(W) >> 23u) & 255u);
  return select(0.0, bitcast<f32>(u32(min(254, 276 - exponent)) << 23u), W > 0.0);
}

fn above(row: Row, p: f32, c: u32, scale: f32) -> Above {
  var result = Above(0.0, 0.0);
  for (var e = row.first; e < row.last; e++) {
    if (X[startAt(row, e) + c] > p) {
      result.weight += round(weightAt(row, e) * scale);
      result.count += 1.0;
    }
  }
  return result;
}

fn leastAbove(row: Row, p: f32, c: u32) -> f32 {
  var least = bitcast<f32>(0x7f7fffffu);
  for (var e = row.first; e < row.last; e++) {
    let x = X[startAt(row, e) + c];
    if (x > p) { least = min(least, x); }
  }
  return least;
}

fn meanOf(row: Row, c: u32) -> f32 {
  var sum = vec2f(0.0);
  for (var e = row.first; e < row.last; e++) { sum += weightAt(row, e) * vec2f(X[startAt(row, e) + c], 1.0); }
  return select(0.0, sum.x / sum.y, sum.y > 0.0);
}

// Which neighbour has the median first. Whether others have it too is not looked up.
fn firstWith(row: Row, value: f32, c: u32) -> Median {
  var e = row.first;
  while (X[startAt(row, e) + c] != value) { e++; }
  return Median(value, e - row.first, true);
}

fn medianOfMany(row: Row, c: u32, scale: f32, total: f32, lowest: f32) -> Median {
  var low = lowest;
  var high = -lowest;
  var lower = Above(total, f32(row.last - row.first));
  var upper = Above(0.0, 0.0);
  var at = meanOf(row, c);
  for (var round = 0u; ; round++) {
    if (round > 0u && low > lowest && high < -lowest) {
      let n = max(lower.count - upper.count, 1.0);
      let expected = n * saturate((lower.weight - 0.5 * total) / max(lower.weight - upper.weight, 1.0));
      at = low + (high - low) * select(0.5, clamp(expected, 0.5, n - 0.5) / n, round % 4u != 0u);
    }
    if (!(at > low && at < high) || (round >= PATIENCE && round % 4u == 0u)) {
      at = keyValue((orderKey(low) >> 1u) + (orderKey(high) >> 1u));
    }
    let isTried = round >= PATIENCE && round % 2u == 1u;
    if (isTried) { at = leastAbove(row, low, c); }
    let cut = above(row, at, c, scale);
    if (2.0 * cut.weight > total) {
      low = at;
      lower = cut;
    } else {
      if (isTried) { break; }
      high = at;
      upper = cut;
    }
  }
  return firstWith(row, at, c);
}
