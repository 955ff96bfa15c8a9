// The KEPT largest of the values, all above 0, that a workgroup has for some nodes, the lower node on ties; all if
// there are fewer. All threads must call this together. A key is the bits of the value, then the inverted bits of the
// node, so that no two keys are equal. The least key that is kept is found digit by digit.
// requires: pushedAt(i), valueOf(node)
// constants: KEPT, THREADS

const DIGIT_BITS = 4u;
const DIGITS = 16u; // digits of a key, and values of a digit
const DIGITS_PER_WORD = 8u;

var<workgroup> sizes: array<atomic<u32>, DIGITS>; // per next digit: how many keys that begin as `least` does
var<workgroup> least: vec2u;
var<workgroup> missing: u32; // how many of those keys are kept, or 0 if all are
var<workgroup> numTaken: atomic<u32>;
var<workgroup> taken: array<u32, KEPT>; // nodes, in any order

fn keyOf(node: u32) -> vec2u { return vec2u(bitcast<u32>(valueOf(node)), ~node); }

fn isBelow(a: vec2u, b: vec2u) -> bool { return a.x < b.x || (a.x == b.x && a.y < b.y); }

fn upperBits(count: u32) -> u32 { return select(0xffffffffu << ((32u - count) & 31u), 0u, count == 0u); }

// The bits of a key before a digit.
fn maskBefore(digit: u32) -> vec2u {
  let bits = digit * DIGIT_BITS;
  return vec2u(upperBits(min(bits, 32u)), upperBits(max(bits, 32u) - 32u));
}

fn digitShift(digit: u32) -> u32 { return 32u - DIGIT_BITS * (digit % DIGITS_PER_WORD + 1u); }

fn countDigits(digit: u32, count: u32, local: u32) {
  let mask = maskBefore(digit);
  let begin = least;
  for (var i = local; i < count; i += THREADS) {
    let key = keyOf(pushedAt(i));
    let word = select(key.y, key.x, digit < DIGITS_PER_WORD);
    if (all((key & mask) == begin)) { atomicAdd(&sizes[(word >> digitShift(digit)) & (DIGITS - 1u)], 1u); }
  }
}

// Called by one thread: finds the next digit of the least key that is kept.
fn chooseDigit(digit: u32) {
  var value = DIGITS - 1u;
  var size = atomicLoad(&sizes[value]);
  while (size < missing) {
    missing -= size;
    value--;
    size = atomicLoad(&sizes[value]);
  }
  let bits = value << digitShift(digit);
  least |= select(vec2u(0u, bits), vec2u(bits, 0u), digit < DIGITS_PER_WORD);
  if (size == missing) { missing = 0u; }
}

// Fills `taken` from the first `count` nodes; returns how many it has.
fn takeLargest(count: u32, local: u32) -> u32 {
  if (local == 0u) {
    least = vec2u(0u);
    missing = select(0u, KEPT, count > KEPT);
    atomicStore(&numTaken, 0u);
  }
  for (var digit = 0u; workgroupUniformLoad(&missing) > 0u; digit++) {
    if (local < DIGITS) { atomicStore(&sizes[local], 0u); }
    workgroupBarrier();
    countDigits(digit, count, local);
    workgroupBarrier();
    if (local == 0u) { chooseDigit(digit); }
  }
  let bound = workgroupUniformLoad(&least);
  for (var i = local; i < count; i += THREADS) {
    let node = pushedAt(i);
    if (!isBelow(keyOf(node), bound)) { taken[atomicAdd(&numTaken, 1u)] = node; }
  }
  workgroupBarrier();
  return min(count, KEPT);
}

// How many of the taken nodes are lower.
fn rankOf(node: u32, size: u32) -> u32 {
  var rank = 0u;
  for (var t = 0u; t < size; t++) { rank += select(0u, 1u, taken[t] < node); }
  return rank;
}
