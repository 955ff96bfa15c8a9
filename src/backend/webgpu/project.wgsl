// Projection onto a budget: f(λ) = Σ clip(x − λ, 0, 1) falls with λ. `measure` takes the step x + rate · gradient, if ASCENDS is 1,
// and finds f(0) and max x; each `probe` evaluates f at
// twelve points of the bracket and so cuts it to a thirteenth; `solve` takes a Newton step within what is left, and `shift`
// applies it. Every workgroup adds up the parts of the step before by itself, in the same order: nothing waits for the host.
// parts is [stage][workgroup][3], brackets is [stage].
struct Params { length: u32, chunk: u32, numParts: u32, stage: u32, budget: f32, floor: f32, ceiling: f32, rate: f32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> parts: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> brackets: array<vec2f>;
@group(0) @binding(4) var<storage, read_write> report: array<f32>;
@group(0) @binding(5) var<storage, read> gradient: array<f32>;

// Values of f at twelve points, the lowest λ first.
struct Twelve { a: vec4f, b: vec4f, c: vec4f }

var<workgroup> sums: array<Twelve, WORKGROUP>;
var<workgroup> strands: array<Twelve, 16>;
var<workgroup> tops: array<f32, WORKGROUP>;

fn plus(x: Twelve, y: Twelve) -> Twelve {
  return Twelve(x.a + y.a, x.b + y.b, x.c + y.c);
}

// Adds up one value per thread, sixteen by sixteen; all threads get the result.
fn addUp(value: Twelve, local: u32) -> Twelve {
  sums[local] = value;
  workgroupBarrier();
  if (local < 16u) {
    var sum = Twelve();
    for (var t = 0u; t < 16u; t++) { sum = plus(sum, sums[16u * local + t]); }
    strands[local] = sum;
  }
  workgroupBarrier();
  var total = Twelve();
  for (var t = 0u; t < 16u; t++) { total = plus(total, strands[t]); }
  return total;
}

// The sums of the parts of a step.
fn gather(stage: u32, local: u32) -> Twelve {
  var sum = Twelve();
  for (var g = local; g < params.numParts; g += WORKGROUP) {
    let at = 3u * (stage * params.numParts + g);
    sum = plus(sum, Twelve(parts[at], parts[at + 1u], parts[at + 2u]));
  }
  return addUp(sum, local);
}

fn writePart(index: u32, local: u32, value: Twelve) {
  let sum = addUp(value, local);
  if (local > 0u || index >= params.numParts) { return; }
  let at = 3u * (params.stage * params.numParts + index);
  parts[at] = sum.a;
  parts[at + 1u] = sum.b;
  parts[at + 2u] = sum.c;
}

fn pointsOf(bracket: vec2f) -> Twelve {
  let gap = vec4f((bracket.y - bracket.x) / 13.0);
  let first = vec4f(bracket.x);
  return Twelve(
    first + gap * vec4f(1.0, 2.0, 3.0, 4.0),
    first + gap * vec4f(5.0, 6.0, 7.0, 8.0),
    first + gap * vec4f(9.0, 10.0, 11.0, 12.0),
  );
}

// How many of the first points are still above the budget.
fn above(values: vec4f) -> f32 {
  return dot(vec4f(1.0), select(vec4f(0.0), vec4f(1.0), values > vec4f(params.budget)));
}

// The bracket of a probe, from the values of the probe before it.
fn narrowed(stage: u32, values: Twelve) -> vec2f {
  let before = brackets[stage - 1u];
  let passed = above(values.a) + above(values.b) + above(values.c);
  let gap = (before.y - before.x) / 13.0;
  let high = select(before.x + gap * (passed + 1.0), before.y, passed == 12.0);
  return vec2f(before.x + gap * passed, high);
}

fn chunkEnd(index: u32) -> u32 {
  return min(params.length, (index + 1u) * params.chunk);
}

// Four elements a workgroup apart, so that four loads are on their way at once; beyond the end what adds nothing.
fn fourFrom(e: u32, end: u32) -> vec4f {
  var values = vec4f(-1e30);
  if (e < end) { values.x = x[e]; }
  if (e + WORKGROUP < end) { values.y = x[e + WORKGROUP]; }
  if (e + 2u * WORKGROUP < end) { values.z = x[e + 2u * WORKGROUP]; }
  if (e + 3u * WORKGROUP < end) { values.w = x[e + 3u * WORKGROUP]; }
  return values;
}

// The largest of one value per thread.
fn largest(value: f32, local: u32) -> f32 {
  tops[local] = value;
  workgroupBarrier();
  if (local < 16u) {
    for (var t = 1u; t < 16u; t++) { tops[16u * local] = max(tops[16u * local], tops[16u * local + t]); }
  }
  workgroupBarrier();
  var top = tops[0];
  for (var t = 1u; t < 16u; t++) { top = max(top, tops[16u * t]); }
  return top;
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
    let values = vec4f(
      ascended(e, end),
      ascended(e + WORKGROUP, end),
      ascended(e + 2u * WORKGROUP, end),
      ascended(e + 3u * WORKGROUP, end),
    );
    sum += dot(clamp(values, vec4f(0.0), vec4f(1.0)), vec4f(1.0));
    top = max(top, max(max(values.x, values.y), max(values.z, values.w)));
  }
  let total = addUp(Twelve(vec4f(sum), vec4f(0.0), vec4f(0.0)), local).a.x;
  top = largest(top, local);
  if (local == 0u && index < params.numParts) { parts[3u * index] = vec4f(total, top, 0.0, 0.0); }
}

// Adds up the parts of `measure`: the first bracket reaches from 0 to the maximum.
fn firstBracket(isFirst: bool, local: u32) -> vec2f {
  var sum = 0.0;
  var top = 0.0;
  for (var g = local; g < params.numParts; g += WORKGROUP) {
    sum += parts[3u * g].x;
    top = max(top, parts[3u * g].y);
  }
  let total = addUp(Twelve(vec4f(sum), vec4f(0.0), vec4f(0.0)), local).a.x;
  let bracket = vec2f(0.0, largest(top, local));
  if (isFirst) {
    report[0] = total;
    brackets[1] = bracket;
  }
  return bracket;
}

@compute @workgroup_size(WORKGROUP)
fn probe(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let index = groupIndex(group, groups);
  let isFirst = index == 0u && local == 0u;
  var bracket: vec2f;
  if (params.stage == 1u) {
    bracket = firstBracket(isFirst, local);
  } else {
    bracket = narrowed(params.stage, gather(params.stage - 1u, local));
    if (isFirst) { brackets[params.stage] = bracket; }
  }
  let points = pointsOf(bracket);
  let zero = vec4f(0.0);
  let one = vec4f(1.0);
  var sum = Twelve();
  let end = chunkEnd(index);
  for (var e = index * params.chunk + local; e < end; e += 4u * WORKGROUP) {
    let values = fourFrom(e, end);
    for (var w = 0u; w < 4u; w++) {
      let value = vec4f(values[w]);
      sum.a += clamp(value - points.a, zero, one);
      sum.b += clamp(value - points.b, zero, one);
      sum.c += clamp(value - points.c, zero, one);
    }
  }
  writePart(index, local, sum);
}

// f and the number of entries that move with λ, in the middle of the bracket.
@compute @workgroup_size(WORKGROUP)
fn solve(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let index = groupIndex(group, groups);
  let bracket = narrowed(params.stage, gather(params.stage - 1u, local));
  if (index == 0u && local == 0u) { brackets[params.stage] = bracket; }
  let middle = 0.5 * (bracket.x + bracket.y);
  var sum = 0.0;
  var inner = 0.0;
  let end = chunkEnd(index);
  for (var e = index * params.chunk + local; e < end; e += 4u * WORKGROUP) {
    let y = fourFrom(e, end) - middle;
    sum += dot(clamp(y, vec4f(0.0), vec4f(1.0)), vec4f(1.0));
    inner += dot(select(vec4f(0.0), vec4f(1.0), (y > vec4f(0.0)) & (y < vec4f(1.0))), vec4f(1.0));
  }
  writePart(index, local, Twelve(vec4f(sum, inner, 0.0, 0.0), vec4f(0.0), vec4f(0.0)));
}

@compute @workgroup_size(WORKGROUP)
fn shift(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let index = groupIndex(group, groups);
  let solved = gather(params.stage - 1u, local).a;
  let bracket = brackets[params.stage - 1u];
  let middle = 0.5 * (bracket.x + bracket.y);
  var lambda = bracket.y;
  if (solved.y > 0.0) { lambda = clamp(middle + (solved.x - params.budget) / solved.y, bracket.x, bracket.y); }
  if (report[0] <= params.budget) { lambda = 0.0; }
  if (index == 0u && local == 0u) { report[1] = lambda; }
  for (var e = index * params.chunk + local; e < chunkEnd(index); e += WORKGROUP) {
    x[e] = clamp(x[e] - lambda, params.floor, params.ceiling);
  }
}
