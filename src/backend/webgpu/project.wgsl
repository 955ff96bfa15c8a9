// Projection onto a budget: f(λ) = Σ clip(x − λ, 0, 1) falls with λ. `measure` takes the step x + rate · gradient, if ASCENDS is 1,
// and finds f(0) and max x; each `probe` evaluates f at POINTS points of the bracket, one or two threads per point, and so cuts it
// to the gap between two of them; `shift` interpolates in the last gap, where f is as good as straight, and applies the result.
// Every workgroup adds up the parts of the step before by itself, in the same order: nothing waits for the host.
// parts is [stage][workgroup][POINTS], brackets is [stage] of (low, high, f(low), f(high)).
struct Params { length: u32, chunk: u32, numParts: u32, stage: u32, budget: f32, floor: f32, ceiling: f32, rate: f32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> parts: array<f32>;
@group(0) @binding(3) var<storage, read_write> brackets: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> report: array<f32>;
@group(0) @binding(5) var<storage, read> gradient: array<f32>;

const POINTS = 128u;
const SHARES = WORKGROUP / POINTS; // threads per point, each with every second four elements
const ONES = vec4f(1.0);
var<workgroup> elements: array<vec4f, WORKGROUP>;
var<workgroup> values: array<f32, WORKGROUP>;
var<workgroup> tops: array<f32, WORKGROUP>;
var<workgroup> numAbove: atomic<u32>;

fn chunkEnd(index: u32) -> u32 {
  return min(params.length, (index + 1u) * params.chunk);
}

// The sum of one value per thread and the largest of another, for every thread.
fn sumAndTop(value: f32, top: f32, local: u32) -> vec2f {
  values[local] = value;
  tops[local] = top;
  workgroupBarrier();
  if (local < 16u) {
    for (var t = 1u; t < 16u; t++) {
      values[16u * local] += values[16u * local + t];
      tops[16u * local] = max(tops[16u * local], tops[16u * local + t]);
    }
  }
  workgroupBarrier();
  var both = vec2f(0.0);
  for (var t = 0u; t < WORKGROUP; t += 16u) { both = vec2f(both.x + values[t], max(both.y, tops[t])); }
  return both;
}

// Four elements a workgroup apart, so that four loads are on their way at once; beyond the end what adds nothing.
fn fourFrom(e: u32, end: u32) -> vec4f {
  var four = vec4f(-1e30);
  if (e < end) { four.x = x[e]; }
  if (e + WORKGROUP < end) { four.y = x[e + WORKGROUP]; }
  if (e + 2u * WORKGROUP < end) { four.z = x[e + 2u * WORKGROUP]; }
  if (e + 3u * WORKGROUP < end) { four.w = x[e + 3u * WORKGROUP]; }
  return four;
}

// Element e after the step.
fn ascended(e: u32, end: u32) -> f32 {
  if (e >= end) { return -1e30; }
  if (ASCENDS == 0u) { return x[e]; }
  let moved = x[e] + params.rate * gradient[e];
  x[e] = moved;
  return moved;
}

@compute @workgroup_size(WORKGROUP)
fn measure(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let index = groupIndex(group, groups);
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
    top = max(top, max(max(four.x, four.y), max(four.z, four.w)));
  }
  let both = sumAndTop(sum, top, local);
  if (local == 0u && index < params.numParts) {
    parts[POINTS * index] = both.x;
    parts[POINTS * index + 1u] = both.y;
  }
}

// Adds up the parts of `measure`: the first bracket reaches from 0 to the maximum.
fn firstBracket(isFirst: bool, local: u32) -> vec4f {
  var sum = 0.0;
  var top = 0.0;
  for (var g = local; g < params.numParts; g += WORKGROUP) {
    sum += parts[POINTS * g];
    top = max(top, parts[POINTS * g + 1u]);
  }
  let both = sumAndTop(sum, top, local);
  if (isFirst) { report[0] = both.x; }
  return vec4f(0.0, both.y, both.x, 0.0);
}

fn pointOf(bracket: vec4f, p: u32) -> f32 {
  return bracket.x + f32(p + 1u) * ((bracket.y - bracket.x) / f32(POINTS + 1u));
}

// The gap in which a probe has found the budget.
fn narrowed(stage: u32, local: u32) -> vec4f {
  let first = stage * params.numParts;
  var sum = 0.0;
  for (var g = local / POINTS; g < params.numParts; g += SHARES) { sum += parts[(first + g) * POINTS + local % POINTS]; }
  values[local] = sum;
  if (local == 0u) { atomicStore(&numAbove, 0u); }
  workgroupBarrier();
  if (local < POINTS) {
    for (var s = 1u; s < SHARES; s++) { sum += values[s * POINTS + local]; }
    values[local] = sum;
    if (sum > params.budget) { atomicAdd(&numAbove, 1u); }
  }
  workgroupBarrier();
  let bracket = brackets[stage];
  let above = atomicLoad(&numAbove);
  var gap = bracket;
  if (above > 0u) {
    gap.x = pointOf(bracket, above - 1u);
    gap.z = values[above - 1u];
  }
  if (above < POINTS) {
    gap.y = pointOf(bracket, above);
    gap.w = values[above];
  }
  return gap;
}

@compute @workgroup_size(WORKGROUP)
fn probe(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let index = groupIndex(group, groups);
  let isFirst = index == 0u && local == 0u;
  var bracket: vec4f;
  if (params.stage == 1u) { bracket = firstBracket(isFirst, local); } else { bracket = narrowed(params.stage - 1u, local); }
  if (isFirst) { brackets[params.stage] = bracket; }
  let point = pointOf(bracket, local % POINTS);
  var sum = vec4f(0.0);
  let end = chunkEnd(index);
  for (var begin = index * params.chunk; begin < end; begin += 4u * WORKGROUP) {
    elements[local] = fourFrom(begin + local, end);
    workgroupBarrier();
    var share = vec4f(0.0); // sums of few are added up, so that rounding stays small
    for (var e = local / POINTS; e < WORKGROUP; e += SHARES) { share += saturate(elements[e] - point); }
    sum += share;
    workgroupBarrier();
  }
  values[local] = dot(sum, ONES);
  workgroupBarrier();
  if (local >= POINTS || index >= params.numParts) { return; }
  var total = values[local];
  for (var s = 1u; s < SHARES; s++) { total += values[s * POINTS + local]; }
  parts[(params.stage * params.numParts + index) * POINTS + local] = total;
}

@compute @workgroup_size(WORKGROUP)
fn shift(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let index = groupIndex(group, groups);
  let gap = narrowed(params.stage - 1u, local);
  var lambda = gap.y;
  if (gap.z > gap.w) { lambda = clamp(mix(gap.x, gap.y, (gap.z - params.budget) / (gap.z - gap.w)), gap.x, gap.y); }
  if (report[0] <= params.budget) { lambda = 0.0; }
  if (index == 0u && local == 0u) { report[1] = lambda; }
  for (var e = index * params.chunk + local; e < chunkEnd(index); e += WORKGROUP) {
    x[e] = clamp(x[e] - lambda, params.floor, params.ceiling);
  }
}
