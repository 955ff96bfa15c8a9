// Projection onto a budget: f(λ) = Σ clip(x − λ, 0, 1) falls with λ. `measure` takes the step x + rate · gradient, if ASCENDS is 1,
// and finds f(0) and max x; each `probe` evaluates f at POINTS points of the bracket, four per thread, and so narrows
// it to the gap between two of them; `shift` interpolates in the last gap, where f is nearly linear, and applies the
// result. Every workgroup adds up the parts of the previous step itself, all in the same order: nothing waits for the
// host.
// parts is [stage][workgroup][QUADS], brackets is [stage] of (low, high, f(low), f(high)).
// uses: threads
// constants: ASCENDS, POINTS
// params: length u32, chunk u32, numParts u32, stage u32, budget f32, floor f32, ceiling f32, rate f32
// writes: x f32, parts vec4f, brackets vec4f, report f32
// reads: gradient f32

const QUADS = POINTS / 4u;
const SHARES = WORKGROUP / QUADS; // threads with the same points: each has its share of the elements
const ONES = vec4f(1.0);
var<workgroup> elements: array<vec4f, WORKGROUP>;
var<workgroup> values: array<vec4f, WORKGROUP>;
var<workgroup> numAbove: atomic<u32>;

fn chunkEnd(index: u32) -> u32 {
  return min(params.length, (index + 1u) * params.chunk);
}

fn largestOf(four: vec4f) -> f32 {
  return max(max(four.x, four.y), max(four.z, four.w));
}

// The sum of one value per thread and the largest of another; every thread gets both.
fn sumAndTop(sum: f32, top: f32, local: u32) -> vec2f {
  values[local] = vec4f(sum, top, 0.0, 0.0);
  workgroupBarrier();
  if (local < 16u) {
    var both = values[16u * local];
    for (var t = 1u; t < 16u; t++) {
      let other = values[16u * local + t];
      both = vec4f(both.x + other.x, max(both.y, other.y), 0.0, 0.0);
    }
    values[16u * local] = both;
  }
  workgroupBarrier();
  var both = vec2f(0.0);
  for (var t = 0u; t < WORKGROUP; t += 16u) { both = vec2f(both.x + values[t].x, max(both.y, values[t].y)); }
  return both;
}

// Four elements, WORKGROUP apart, so that four loads overlap. Past the end they are −1e30, which adds nothing.
fn fourFrom(e: u32, end: u32) -> vec4f {
  var four = vec4f(-1e30);
  if (e < end) { four.x = x[e]; }
  if (e + WORKGROUP < end) { four.y = x[e + WORKGROUP]; }
  if (e + 2u * WORKGROUP < end) { four.z = x[e + 2u * WORKGROUP]; }
  if (e + 3u * WORKGROUP < end) { four.w = x[e + 3u * WORKGROUP]; }
  return four;
}

// Element e after the step along the gradient.
fn ascended(e: u32, end: u32) -> f32 {
  if (e >= end) { return -1e30; }
  if (ASCENDS == 0u) { return x[e]; }
  let moved = x[e] + params.rate * gradient[e];
  x[e] = moved;
  return moved;
}

@compute @workgroup_size(WORKGROUP)
fn measure(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let index = groupIndex(group);
  var sum = 0.0;
  var top = 0.0; // λ is never below 0
  let end = chunkEnd(index);
  for (var e = index * params.chunk + local; e < end; e += 4u * WORKGROUP) {
    let four = vec4f(
      ascended(e, end),
      ascended(e + WORKGROUP, end),
      ascended(e + 2u * WORKGROUP, end),
      ascended(e + 3u * WORKGROUP, end),
    );
    sum += dot(saturate(four), ONES);
    top = max(top, largestOf(four));
  }
  let both = sumAndTop(sum, top, local);
  if (local == 0u && index < params.numParts) { parts[QUADS * index] = vec4f(both, 0.0, 0.0); }
}

// Adds up the parts of `measure`: the first bracket reaches from 0 to the maximum.
fn firstBracket(isFirst: bool, local: u32) -> vec4f {
  var sum = 0.0;
  var top = 0.0;
  for (var g = local; g < params.numParts; g += WORKGROUP) {
    let part = parts[QUADS * g];
    sum += part.x;
    top = max(top, part.y);
  }
  let both = sumAndTop(sum, top, local);
  if (isFirst) { report[0] = both.x; }
  return vec4f(0.0, both.y, both.x, 0.0);
}

// Points 4q … 4q + 3 of a bracket.
fn pointsOf(bracket: vec4f, q: u32) -> vec4f {
  let gap = (bracket.y - bracket.x) / f32(POINTS + 1u);
  return bracket.x + gap * (f32(4u * q) + vec4f(1.0, 2.0, 3.0, 4.0));
}

// Adds up the sums of the threads with the same points. The first QUADS threads get the results.
fn sumShares(sum: vec4f, local: u32) -> vec4f {
  values[local] = sum;
  workgroupBarrier();
  var total = sum;
  if (local < QUADS) {
    for (var s = 1u; s < SHARES; s++) { total += values[s * QUADS + local]; }
  }
  return total;
}

// The gap between two points of a probe in which f reaches the budget.
fn narrowed(stage: u32, local: u32) -> vec4f {
  let first = stage * params.numParts;
  var sum = vec4f(0.0);
  for (var g = local / QUADS; g < params.numParts; g += SHARES) { sum += parts[(first + g) * QUADS + local % QUADS]; }
  if (local == 0u) { atomicStore(&numAbove, 0u); }
  sum = sumShares(sum, local);
  if (local < QUADS) {
    values[local] = sum;
    let isAbove = select(vec4u(0u), vec4u(1u), sum > vec4f(params.budget));
    atomicAdd(&numAbove, isAbove.x + isAbove.y + isAbove.z + isAbove.w);
  }
  workgroupBarrier();
  let bracket = brackets[stage];
  let above = atomicLoad(&numAbove);
  var gap = bracket;
  if (above > 0u) {
    let last = above - 1u;
    gap.x = pointsOf(bracket, last / 4u)[last % 4u];
    gap.z = values[last / 4u][last % 4u];
  }
  if (above < POINTS) {
    gap.y = pointsOf(bracket, above / 4u)[above % 4u];
    gap.w = values[above / 4u][above % 4u];
  }
  return gap;
}

@compute @workgroup_size(WORKGROUP)
fn probe(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let index = groupIndex(group);
  let isFirst = index == 0u && local == 0u;
  var bracket: vec4f;
  if (params.stage == 1u) { bracket = firstBracket(isFirst, local); } else { bracket = narrowed(params.stage - 1u, local); }
  if (isFirst) { brackets[params.stage] = bracket; }
  let points = pointsOf(bracket, local % QUADS);
  var sum = vec4f(0.0);
  let end = chunkEnd(index);
  for (var begin = index * params.chunk; begin < end; begin += 4u * WORKGROUP) {
    elements[local] = fourFrom(begin + local, end);
    workgroupBarrier();
    var share = vec4f(0.0); // a sum per round, so that rounding errors stay small
    for (var e = local / QUADS; e < WORKGROUP; e += SHARES) {
      let four = elements[e];
      if (largestOf(four) <= bracket.x) { continue; } // most elements of a block add nothing at any point
      share += (saturate(four.x - points) + saturate(four.y - points)) + (saturate(four.z - points) + saturate(four.w - points));
    }
    sum += share;
    workgroupBarrier();
  }
  sum = sumShares(sum, local);
  if (local < QUADS && index < params.numParts) { parts[(params.stage * params.numParts + index) * QUADS + local] = sum; }
}

@compute @workgroup_size(WORKGROUP)
fn shift(group: Workgroup, @builtin(local_invocation_index) local: u32) {
  let index = groupIndex(group);
  let gap = narrowed(params.stage - 1u, local);
  var lambda = gap.y;
  if (gap.z > gap.w) { lambda = clamp(mix(gap.x, gap.y, (gap.z - params.budget) / (gap.z - gap.w)), gap.x, gap.y); }
  if (report[0] <= params.budget) { lambda = 0.0; }
  if (index == 0u && local == 0u) { report[1] = lambda; }
  let end = chunkEnd(index);
  for (var e = index * params.chunk + local; e < end; e += 4u * WORKGROUP) {
    let four = clamp(fourFrom(e, end) - lambda, vec4f(params.floor), vec4f(params.ceiling));
    x[e] = four.x;
    if (e + WORKGROUP < end) { x[e + WORKGROUP] = four.y; }
    if (e + 2u * WORKGROUP < end) { x[e + 2u * WORKGROUP] = four.z; }
    if (e + 3u * WORKGROUP < end) { x[e + 3u * WORKGROUP] = four.w; }
  }
}
