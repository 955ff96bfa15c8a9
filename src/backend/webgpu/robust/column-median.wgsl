// Weighted median of one column over the neighbours of a row, which are gathered again in every round. The median lies
// in an interval (low, high]; the weight above a point inside tells which end moves there. The point is first the mean,
// then where half of the weight would lie if it were spread evenly, sometimes the middle, also of the integers that
// order floats. At the end the neighbours left in the interval are tried in ascending order.
//
// Weights are rounded to whole numbers with a sum below 2^24, times one power of two: their sums are exact in f32, so
// that exactly half is recognised.
// uses: neighbourhood, order-key
// reads: colIdx u32, X f32

const MANY_ROUNDS = 24u;
const FEW_LEFT = 3.0;

struct Median { value: f32, place: u32, isShared: bool }

// The row of X that holds a median: always one of the row's neighbours, even if NaNs have left the place out of range.
fn holderOf(row: Row, median: Median) -> i32 { return i32(colIdx[min(row.first + median.place, row.last - 1u)]); }

// The power of two by which weights with the sum W are multiplied before they are rounded to whole numbers.
fn scaleOf(W: f32) -> f32 {
  let exponent = i32((bitcast<u32>(W) >> 23u) & 255u);
  return select(0.0, bitcast<f32>(u32(min(254, 276 - exponent)) << 23u), W > 0.0);
}

// The weight of the neighbours above a point, and how many they are.
fn above(row: Row, p: f32, c: u32, scale: f32) -> vec2f {
  var sums = vec2f(0.0);
  for (var e = row.first; e < row.last; e++) {
    if (X[startAt(row, e) + c] > p) { sums += vec2f(round(weightAt(row, e) * scale), 1.0); }
  }
  return sums;
}

// The least neighbour above `low` that has at most half of the weight above it. Ends at `highest`, which is infinity,
// if there is none, as among NaNs. `isShared` is always true: whether others are equal is not looked up.
fn leastWithHalf(row: Row, low: f32, c: u32, scale: f32, total: f32, highest: f32) -> Median {
  var median = Median(low, 0u, true);
  loop {
    var least = highest;
    var place = 0u;
    for (var e = row.first; e < row.last; e++) {
      let x = X[startAt(row, e) + c];
      if (x > median.value && x < least) {
        least = x;
        place = e - row.first;
      }
    }
    median = Median(least, place, true);
    if (least == highest || 2.0 * above(row, least, c, scale).x <= total) { return median; }
  }
}

fn meanOf(row: Row, c: u32) -> f32 {
  var sums = vec2f(0.0);
  for (var e = row.first; e < row.last; e++) { sums += weightAt(row, e) * vec2f(X[startAt(row, e) + c], 1.0); }
  return select(0.0, sums.x / sums.y, sums.y > 0.0);
}

fn medianOfMany(row: Row, c: u32, scale: f32, total: f32, lowest: f32) -> Median {
  var low = lowest;
  var high = -lowest;
  var lower = vec2f(total, f32(row.last - row.first)); // weight and neighbours above `low`; `upper`: above `high`
  var upper = vec2f(0.0);
  var at = meanOf(row, c);
  for (var round = 0u; round < MANY_ROUNDS && lower.y - upper.y > FEW_LEFT; round++) {
    if (low > lowest && high < -lowest) {
      let n = lower.y - upper.y;
      let expected = n * saturate((lower.x - 0.5 * total) / max(lower.x - upper.x, 1.0));
      at = low + (high - low) * select(0.5, clamp(expected, 0.5, n - 0.5) / n, round % 4u != 0u);
    }
    if (!(at > low && at < high) || round % 8u == 7u) { at = keyValue((orderKey(low) >> 1u) + (orderKey(high) >> 1u)); }
    let cut = above(row, at, c, scale);
    if (2.0 * cut.x > total) {
      low = at;
      lower = cut;
    } else {
      high = at;
      upper = cut;
    }
  }
  return leastWithHalf(row, low, c, scale, total, -lowest);
}
