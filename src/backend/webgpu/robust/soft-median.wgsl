// Soft Median of rows of up to MOST neighbours: medians, distances, shares and the weighted sum. A workgroup takes a
// row and, if there is one panel, gathers its neighbours once. A thread has two columns of each of PANELS panels (FULL:
// the last panel is as wide as the others) and keeps the numbers of all neighbours in them in registers: neighbour 16 i
// + t is number i of quad t. `pairs` is X, two columns at a time.
//
// The medians are found as in column-median.wgsl, but with fewer cuts: the first ones are where a normal distribution
// would have its median, and when at most FEW neighbours are left in the interval, they are compared with each other.
//
// kept_i = (largest exponent, W / Z, W, 1 if another neighbour may have the same number as the holder of a median, else
// 0).
// uses: column-median, neighbourhood, threads
// requires: shuffleXor(x, mask, local)
// constants: FULL, MOST, PANELS
// params: rows u32, cols u32, temperature f32, lowest f32
// writes: out f32, median f32, holder i32, kept vec4f
// reads: X f32, pairs vec2f

const QUADS = MOST / 4u;
const FEW = 8u;
const ROUNDS = 8u; // at most; then the neighbours left are tried one by one
const EVEN = 2.5; // 1 / the density of a normal distribution at its mean, in standard deviations
const OVERSHOOT = 1.2;
const BEYOND = 1.5; // a cut lies this many neighbours beyond the expected median, so that the nearer end moves too
const BIAS = 8388608.0; // 2^23: the low bits of a float of this size are a whole number

struct Slot { start: u32, weight: f32 }
var<workgroup> starts: array<vec4u, QUADS>; // where neighbours begin in X
var<workgroup> numbers: array<vec4f, QUADS>; // one per neighbour
var<workgroup> slots: array<Slot, MOST + 1u>; // start and whole weight of each neighbour, after one slot without weight
var<private> xa: array<vec4f, QUADS>;
var<private> xb: array<vec4f, QUADS>;

// The two columns of a thread in the panel that begins at `left`; past the last column, the last column again.
fn columnsOf(left: u32, local: u32) -> vec2u {
  return min(left + 2u * local + vec2u(0u, 1u), vec2u(params.cols - 1u));
}

fn areThere(left: u32, local: u32) -> vec2<bool> {
  if (FULL == 1u) { return vec2<bool>(true); }
  return left + 2u * local + vec2u(0u, 1u) < vec2u(params.cols);
}

fn load(c: vec2u) {
  for (var t = 0u; t < QUADS; t++) {
    let a = starts[t] + c.x;
    let b = starts[t] + c.y;
    if (FULL == 1u) {
      let both = array<vec2f, 4>(pairs[a.x / 2u], pairs[a.y / 2u], pairs[a.z / 2u], pairs[a.w / 2u]);
      xa[t] = vec4f(both[0].x, both[1].x, both[2].x, both[3].x);
      xb[t] = vec4f(both[0].y, both[1].y, both[2].y, both[3].y);
    } else {
      xa[t] = vec4f(X[a.x], X[a.y], X[a.z], X[a.w]);
      xb[t] = vec4f(X[b.x], X[b.y], X[b.z], X[b.w]);
    }
  }
}

fn totalOf(v: vec4f) -> f32 { return (v.x + v.y) + (v.z + v.w); }

// For work done once per neighbour: a thread takes the neighbour at this place and the one 32 places further.
fn placeOf(local: u32) -> u32 { return local / 2u + 16u * (local & 1u); }

fn weightsAt(row: Row, local: u32) -> vec2f {
  let e = row.first + placeOf(local);
  return vec2f(weightAt(row, e), weightAt(row, e + THREADS));
}

fn shufflePair(x: vec2f, mask: u32, local: u32) -> vec2f { return vec2f(shuffleXor(x.x, mask, local), shuffleXor(x.y, mask, local)); }

// Puts one number per neighbour into `numbers`, where all threads see it.
fn shareNumbers(x: vec2f, local: u32) {
  let other = shufflePair(x, 1u, local);
  workgroupBarrier();
  if ((local & 1u) == 0u) { numbers[local / 2u] = vec4f(x.x, other.x, x.y, other.y); }
  workgroupBarrier();
}

fn shareStarts(row: Row, local: u32) {
  let e = row.first + placeOf(local);
  let start = vec2u(startAt(row, e), startAt(row, e + THREADS));
  let other = bitcast<vec2u>(shufflePair(bitcast<vec2f>(start), 1u, local));
  if ((local & 1u) == 0u) { starts[local / 2u] = vec4u(start.x, other.x, start.y, other.y); }
  slots[placeOf(local) + 1u].start = start.x;
  slots[placeOf(local) + THREADS + 1u].start = start.y;
  if (local == 0u) { slots[0] = Slot(start.x, 0.0); }
  workgroupBarrier();
}

fn shareWeights(whole: vec2f, local: u32) {
  slots[placeOf(local) + 1u].weight = whole.x;
  slots[placeOf(local) + THREADS + 1u].weight = whole.y;
  shareNumbers(whole, local);
}

// A bit for each neighbour that exists.
fn presentMarks(length: u32) -> vec2u {
  let second = max(length, THREADS) - THREADS;
  return vec2u(0xffffffffu >> (THREADS - min(length, THREADS)), select(0u, 0xffffffffu >> ((THREADS - second) & 31u), second > 0u));
}

// The weight above a point in each of the two columns, and a bit for each neighbour above it.
struct Cut { weight: vec2f, a: vec2u, b: vec2u }

fn bitsOf(marks: vec4f) -> vec2u {
  let m = bitcast<vec4u>(marks);
  return vec2u((m.x & 0xffffu) | (m.y << 16u), (m.z & 0xffffu) | (m.w << 16u));
}

// Weights and bits are both sums of products: a GPU multiplies and adds faster than it masks.
fn cutAt(p: vec2f) -> Cut {
  var weightsA = vec4f(0.0);
  var weightsB = vec4f(0.0);
  var marksA = vec4f(BIAS);
  var marksB = vec4f(BIAS);
  for (var t = 0u; t < QUADS; t++) {
    let weights = numbers[t];
    let a = select(vec4f(0.0), vec4f(1.0), xa[t] > vec4f(p.x));
    let b = select(vec4f(0.0), vec4f(1.0), xb[t] > vec4f(p.y));
    weightsA = fma(a, weights, weightsA);
    weightsB = fma(b, weights, weightsB);
    marksA = fma(a, vec4f(f32(1u << t)), marksA);
    marksB = fma(b, vec4f(f32(1u << t)), marksB);
  }
  return Cut(vec2f(totalOf(weightsA), totalOf(weightsB)), bitsOf(marksA), bitsOf(marksB));
}

fn inverse(x: f32) -> f32 {
  let root = inverseSqrt(x);
  return root * root;
}

// The search in a column: the interval, the weight above its ends, the number of neighbours in it, and the standard
// deviation of the whole column.
struct Search { low: f32, high: f32, lower: f32, upper: f32, count: u32, deviation: f32 }

fn nextCut(round: u32, at: f32, s: Search, total: f32, lowest: f32) -> f32 {
  let each = inverse(f32(s.count));
  let ratio = saturate((s.lower - 0.5 * total) * inverse(max(s.lower - s.upper, 1.0)));
  let further = clamp(ratio + select(-BEYOND, BEYOND, ratio < 0.5) * each, 0.5 * each, 1.0 - 0.5 * each);
  let inside = s.low + (s.high - s.low) * select(0.5, further, round % 4u != 3u);
  let isLow = s.low > lowest;
  let lack = select(0.5 * total - s.upper, s.lower - 0.5 * total, isLow) * inverse(max(total, 1.0));
  let step = s.deviation * EVEN * (OVERSHOOT * lack + BEYOND / f32(MOST) * f32(round + 1u));
  return select(at + select(-step, step, isLow), inside, isLow && s.high < -lowest);
}

// The median among up to FEW neighbours, given as bits; `weightBelow` is the weight below all of them.
fn medianOfFew(marks: vec2u, c: u32, weightBelow: f32, total: f32) -> Median {
  var words = marks;
  var values: array<f32, FEW>;
  var weights: array<f32, FEW>;
  var places: array<u32, FEW>;
  for (var f = 0u; f < FEW; f++) {
    let isSecond = words.y != 0u;
    let bits = select(words.x, words.y, isSecond);
    let bit = firstLeadingBit(bits); // −1 where none is left
    places[f] = bit + select(1u, THREADS + 1u, isSecond);
    let slot = slots[places[f]];
    values[f] = X[slot.start + c];
    weights[f] = slot.weight;
    let rest = bits & ~(1u << (bit & 31u));
    words = select(vec2u(rest, 0u), vec2u(words.x, rest), isSecond);
  }
  var median = Median(bitcast<f32>(0xff7fffffu), MOST, false); // the largest with less than half of the weight below it
  for (var f = 0u; f < FEW; f++) {
    var below = weightBelow;
    for (var g = 0u; g < FEW; g++) { below = fma(select(0.0, 1.0, values[g] < values[f]), weights[g], below); }
    if (2.0 * below < total && weights[f] > 0.0) { median.value = max(median.value, values[f]); }
  }
  for (var f = 0u; f < FEW; f++) { // places descend: the last match is the first neighbour
    if (values[f] == median.value && places[f] > 0u) {
      median.isShared = median.place < MOST;
      median.place = places[f] - 1u;
    }
  }
  return median;
}

fn mediansOf(row: Row, c: vec2u, scale: f32, total: f32, lowest: f32) -> array<Median, 2> {
  var sumsA = array<vec4f, 2>(vec4f(0.0), vec4f(0.0));
  var sumsB = sumsA;
  for (var t = 0u; t < QUADS; t++) {
    let a = xa[t] * numbers[t];
    let b = xb[t] * numbers[t];
    sumsA = array<vec4f, 2>(sumsA[0] + a, fma(a, xa[t], sumsA[1]));
    sumsB = array<vec4f, 2>(sumsB[0] + b, fma(b, xb[t], sumsB[1]));
  }
  let over = 1.0 / max(total, 1.0);
  var at = vec2f(totalOf(sumsA[0]), totalOf(sumsB[0])) * over;
  let deviation = sqrt(max(vec2f(totalOf(sumsA[1]), totalOf(sumsB[1])) * over - at * at, vec2f(0.0)));
  var marksA = presentMarks(row.last - row.first);
  var marksB = marksA;
  var a = Search(lowest, -lowest, total, 0.0, MOST, deviation.x);
  var b = Search(lowest, -lowest, total, 0.0, MOST, deviation.y);
  for (var round = 0u; round < ROUNDS; round++) {
    let cut = cutAt(at);
    let isHigh = 2.0 * cut.weight <= vec2f(total);
    a.high = select(a.high, at.x, isHigh.x);
    b.high = select(b.high, at.y, isHigh.y);
    a.low = select(at.x, a.low, isHigh.x);
    b.low = select(at.y, b.low, isHigh.y);
    a.upper = select(a.upper, cut.weight.x, isHigh.x);
    b.upper = select(b.upper, cut.weight.y, isHigh.y);
    a.lower = select(cut.weight.x, a.lower, isHigh.x);
    b.lower = select(cut.weight.y, b.lower, isHigh.y);
    marksA &= cut.a ^ vec2u(select(0u, 0xffffffffu, isHigh.x));
    marksB &= cut.b ^ vec2u(select(0u, 0xffffffffu, isHigh.y));
    let countsA = countOneBits(marksA);
    let countsB = countOneBits(marksB);
    a.count = countsA.x + countsA.y;
    b.count = countsB.x + countsB.y;
    if (max(a.count, b.count) <= FEW) { break; }
    at = vec2f(nextCut(round, at.x, a, total, lowest), nextCut(round, at.y, b, total, lowest));
  }
  var found: array<Median, 2>;
  found[0] = medianOfFew(marksA, c.x, total - a.lower, total);
  found[1] = medianOfFew(marksB, c.y, total - b.lower, total);
  if (a.count > FEW || total == 0.0) { found[0] = leastWithHalf(row, a.low, c.x, scale, total, -lowest); }
  if (b.count > FEW || total == 0.0) { found[1] = leastWithHalf(row, b.low, c.y, scale, total, -lowest); }
  return found;
}

// Squared differences to the centers, summed over this thread's two columns, for the first two neighbours of a quad or
// the last two.
fn squaresOf(t: u32, center: vec2f, isSecond: bool) -> vec2f {
  let a = select(xa[t].xy, xa[t].zw, isSecond) - center.x;
  let b = select(xb[t].xy, xb[t].zw, isSecond) - center.y;
  return fma(a, a, b * b);
}

// Σ over the columns of all threads, for one of the two neighbours of this thread (placeOf): in each of five steps a
// thread keeps half of its neighbours and gives the other half to the thread that keeps those.
fn sumSquares(center: vec2f, isSecond: bool, local: u32) -> f32 {
  let isHigh = vec4<bool>((local & 16u) != 0u, (local & 8u) != 0u, (local & 4u) != 0u, (local & 2u) != 0u);
  var v: array<vec2f, 8>;
  for (var t = 0u; t < 8u; t++) {
    let low = squaresOf(t, center, isSecond);
    let high = squaresOf(t + 8u, center, isSecond);
    v[t] = select(low, high, isHigh.x) + shufflePair(select(high, low, isHigh.x), 16u, local);
  }
  for (var t = 0u; t < 4u; t++) {
    v[t] = select(v[t], v[t + 4u], isHigh.y) + shufflePair(select(v[t + 4u], v[t], isHigh.y), 8u, local);
  }
  for (var t = 0u; t < 2u; t++) {
    v[t] = select(v[t], v[t + 2u], isHigh.z) + shufflePair(select(v[t + 2u], v[t], isHigh.z), 4u, local);
  }
  let two = select(v[0], v[1], isHigh.w) + shufflePair(select(v[1], v[0], isHigh.w), 2u, local);
  let isOdd = (local & 1u) == 1u;
  return select(two.x, two.y, isOdd) + shuffleXor(select(two.y, two.x, isOdd), 1u, local);
}

// What the 64 columns of a panel add to the squared distances, and whether a median may be shared.
struct Panel { squares: vec2f, isShared: bool }

fn panelOf(i: u32, row: Row, left: u32, scale: f32, total: f32, local: u32) -> Panel {
  let c = columnsOf(left, local);
  if (left > 0u) { load(c); }
  let found = mediansOf(row, c, scale, total, params.lowest);
  let isThere = areThere(left, local);
  var center = vec2f(found[0].value, found[1].value);
  if (isThere.x) {
    median[i * params.cols + c.x] = center.x;
    holder[i * params.cols + c.x] = holderOf(row, found[0]);
  } else {
    center.x = 0.0;
    xa = array<vec4f, QUADS>();
  }
  if (isThere.y) {
    median[i * params.cols + c.y] = center.y;
    holder[i * params.cols + c.y] = holderOf(row, found[1]);
  } else {
    center.y = 0.0;
    xb = array<vec4f, QUADS>();
  }
  let squares = vec2f(sumSquares(center, false, local), sumSquares(center, true, local));
  return Panel(squares, found[0].isShared || found[1].isShared);
}

fn aggregateRow(i: u32, row: Row, local: u32) {
  var weights = weightsAt(row, local);
  shareStarts(row, local);
  load(columnsOf(0u, local)); // loaded while weights are added up
  let W = sumAll(weights.x + weights.y, local);
  let scale = scaleOf(W);
  let whole = round(weights * scale);
  shareWeights(whole, local);
  let total = sumAll(whole.x + whole.y, local);
  var squares = vec2f(0.0);
  var isShared = false;
  for (var p = 0u; p < PANELS; p++) {
    let panel = panelOf(i, row, p * 2u * THREADS, scale, total, local);
    squares += panel.squares;
    isShared = isShared || panel.isShared;
  }
  let exponents = -sqrt(squares / f32(params.cols)) / params.temperature;
  weights = weightsAt(row, local); // loaded again: they take no registers in between
  let usable = select(vec2f(params.lowest), exponents, weights > vec2f(0.0));
  let top = maxAll(max(usable.x, usable.y), local);
  let shares = select(vec2f(0.0), weights * exp(exponents - top), weights > vec2f(0.0));
  let Z = sumAll(shares.x + shares.y, local);
  let factor = select(0.0, W / Z, Z > 0.0);
  shareNumbers(factor * shares, local);
  weightedSum(i, local);
  let ties = maxAll(select(0.0, 1.0, isShared), local);
  if (local == 0u) { kept[i] = vec4f(select(0.0, top, Z > 0.0), factor, W, ties); }
}

fn weightedSum(i: u32, local: u32) {
  for (var p = 0u; p < PANELS; p++) {
    let c = columnsOf(p * 2u * THREADS, local);
    let isThere = areThere(p * 2u * THREADS, local);
    if (PANELS > 1u) { load(c); }
    var a = vec4f(0.0);
    var b = vec4f(0.0);
    for (var t = 0u; t < QUADS; t++) {
      a = fma(numbers[t], xa[t], a);
      b = fma(numbers[t], xb[t], b);
    }
    if (isThere.x) { out[i * params.cols + c.x] = totalOf(a); }
    if (isThere.y) { out[i * params.cols + c.y] = totalOf(b); }
  }
}

fn clear(i: u32, local: u32) {
  for (var c = local; c < params.cols; c += THREADS) {
    out[i * params.cols + c] = 0.0;
    median[i * params.cols + c] = 0.0;
    holder[i * params.cols + c] = -1;
  }
  if (local == 0u) { kept[i] = vec4f(0.0); }
}

@compute @workgroup_size(THREADS)
fn main(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let i = groupIndex(group);
  if (i >= params.rows) { return; }
  let row = rowAt(i);
  if (row.first == row.last) { clear(i, local); } else if (row.last - row.first <= MOST) { aggregateRow(i, row, local); }
}
