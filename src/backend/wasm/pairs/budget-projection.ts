import { check } from "../../../core/errors.ts";
import type { Backend } from "../../backend.ts";
import { type Engine, GRAIN } from "../engine/engine.ts";
import { type Floats, valuesFrom } from "../selection/selection.ts";

/** As in `assembly/pairs/budget-projection.ts`. */
const CHUNK = 16_384;
const MAX_PASSES = 100;
/** Tolerance of the sum, as a share of the budget: for the result, and for a first guess. */
const EXACT = 1e-10;
const ROUGH = 1e-2;

/** The sample of a block: runs of 16 values, one of every 48 runs. */
const RUN = 16;
const EVERY = 48;
/**
 * Factor for the λ of a sample, so that the guess is almost never too large. Neighbours in a block are alike, so the λ
 * of a sample is off by some percent.
 */
const CAUTION = 0.85;
/** Blocks from this length on are sampled for a first λ. */
const SAMPLED = 2 ** 16;

/**
 * f(λ) = Σ clip(x − λ, 0, 1) at one λ, its slope there (negated: how many entries are not clipped), and the largest x.
 */
interface Point {
  readonly lambda: number;
  readonly sum: number;
  readonly slope: number;
  readonly top: number;
}

export function budgetProjection(engine: Engine): Pick<Backend, "projectOntoBudget"> {
  return {
    projectOntoBudget(out, x, budget, floor, ascent) {
      const name = "projectOntoBudget";
      check(budget >= 0, () => `${name}: budget must be at least 0, got ${budget}`);
      engine.floats(name, "out", out, 2);
      const values = { address: engine.floats(name, "x", x), length: x.length };
      const gradient = engine.floatsOrNone(name, "gradient", ascent?.gradient ?? null, x.length);
      const start = ascend(engine, values, gradient, ascent?.rate ?? 0);
      const lambda = start.sum <= budget ? 0 : findShift(engine, values, start, budget, EXACT);
      engine.run("shiftAndClip", x.length, GRAIN, values.address, lambda, floor, 1 - floor);
      engine.heap.write(out, new Float32Array([start.sum, lambda]));
    },
  };
}

/** Finds λ, dropping values on the way: a value below a λ that is too small is 0 at every larger λ, too. */
function findShift(engine: Engine, x: Floats, start: Point, budget: number, precision: number): number {
  const guess = x.length < SAMPLED ? 0 : guessShift(engine, x, budget);
  let values = valuesFrom(engine, x, guess);
  let low = guess === 0 ? start : evaluate(engine, values, guess);
  if (low.sum <= budget) {
    low = start; // the guess was too large
    engine.heap.free(values);
    values = valuesFrom(engine, x, 0);
  }
  const evaluateAt = (lambda: number, tooSmall: Point) => {
    if (tooSmall.slope < values.length / 2) {
      const fewer = valuesFrom(engine, values, tooSmall.lambda);
      engine.heap.free(values);
      values = fewer;
    }
    return evaluate(engine, values, lambda);
  };
  try {
    return shiftToBudget(evaluateAt, low, start.top, budget, precision);
  } finally {
    engine.heap.free(values);
  }
}

/** A λ below the one that gives a sample of the block its share of the budget. */
function guessShift(engine: Engine, x: Floats, budget: number): number {
  const runs = Math.floor(x.length / (RUN * EVERY));
  return engine.borrow("f32", runs * RUN, (sample) => {
    engine.run("sampleRuns", runs, GRAIN / RUN, sample.address, x.address, EVERY);
    const share = (budget * sample.length) / x.length;
    const start = evaluate(engine, sample, 0);
    if (start.sum <= share) return 0;
    return Math.fround(CAUTION * findShift(engine, sample, start, share, ROUGH));
  });
}

/**
 * The smallest λ in (0, top] with f(λ) = budget. f is piecewise linear and falling, so a Newton step from the lower end
 * of the bracket is exact once no corner lies between that end and the solution. The bracket is halved instead if the
 * step would leave it, or if the last step did not halve the excess of f over the budget.
 */
function shiftToBudget(
  evaluateAt: (lambda: number, tooSmall: Point) => Point,
  start: Point,
  top: number,
  budget: number,
  precision: number,
): number {
  if (budget === 0) return top;
  const tolerance = precision * Math.max(1, budget);
  let low = start;
  let high = top;
  let excess = Number.POSITIVE_INFINITY;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const newton = low.lambda + (low.sum - budget) / low.slope;
    const halving = !(newton > low.lambda && newton <= high) || low.sum - budget > excess / 2;
    excess = low.sum - budget;
    const point = evaluateAt(halving ? (low.lambda + high) / 2 : newton, low);
    if (!halving && Math.abs(point.sum - budget) <= tolerance) return point.lambda;
    if (point.sum > budget) low = point;
    else high = point.lambda;
    if (high - low.lambda <= 1e-14 * high) break;
  }
  return high;
}

/** Overwrites x with x + rate·gradient, unless the address `gradient` is 0, and evaluates f at λ = 0. */
function ascend(engine: Engine, { address, length }: Floats, gradient: number, rate: number): Point {
  return sumChunks(engine, length, 0, (partial, chunks) =>
    engine.run("ascendAndSum", chunks, 1, partial, address, length, gradient, rate),
  );
}

function evaluate(engine: Engine, { address, length }: Floats, lambda: number): Point {
  return sumChunks(engine, length, lambda, (partial, chunks) =>
    engine.run("clippedSums", chunks, 1, partial, address, length, lambda),
  );
}

/** Adds up the partial results that `run` writes, one per chunk. */
function sumChunks(
  engine: Engine,
  length: number,
  lambda: number,
  run: (partial: number, chunks: number) => void,
): Point {
  const chunks = Math.ceil(length / CHUNK);
  return engine.borrow("i32", 6 * chunks, (_, partial) => {
    run(partial, chunks);
    const parts = engine.doubles(partial, 3 * chunks);
    let sum = 0;
    let slope = 0;
    let top = Number.NEGATIVE_INFINITY;
    for (let c = 0; c < parts.length; c += 3) {
      sum += parts[c];
      slope += parts[c + 1];
      top = Math.max(top, parts[c + 2]);
    }
    return { lambda, sum, slope, top };
  });
}
