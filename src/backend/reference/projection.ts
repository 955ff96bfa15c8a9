import { check } from "../../core/errors.ts";
import type { Ascent, Buffer } from "../backend.ts";
import { floats } from "./storage.ts";

export function projectOntoBudget(out: Buffer, x: Buffer, budget: number, floor: number, ascent?: Ascent): void {
  check(budget >= 0, () => `projectOntoBudget: budget must be at least 0, got ${budget}`);
  const result = floats("projectOntoBudget", "out", out, 2);
  const weights = floats("projectOntoBudget", "x", x);
  if (ascent) {
    const gradient = floats("projectOntoBudget", "gradient", ascent.gradient, weights.length);
    for (let e = 0; e < weights.length; e++) weights[e] += ascent.rate * gradient[e];
  }
  const before = clippedSum(weights, 0);
  const lambda = shiftOntoBudget(weights, budget);
  for (let e = 0; e < weights.length; e++) weights[e] = Math.min(Math.max(weights[e] - lambda, floor), 1 - floor);
  result[0] = before;
  result[1] = lambda;
}

/** λ of {@link projectOntoBudget}: how much is subtracted from every entry. Entries below 0 have no effect on it. */
export function shiftOntoBudget(x: Float64Array, budget: number): number {
  return clippedSum(x, 0) <= budget ? 0 : shiftToBudget(x, budget);
}

/** Σ clip(x − λ, 0, 1): continuous, falling and piecewise linear in λ, with corners at x_e − 1 and x_e. */
function clippedSum(x: Float64Array, lambda: number): number {
  let sum = 0;
  for (const value of x) sum += Math.min(Math.max(value - lambda, 0), 1);
  return sum;
}

/** The smallest λ > 0 with Σ clip(x − λ, 0, 1) = budget, exactly: finds its linear piece, then solves that. */
function shiftToBudget(x: Float64Array, budget: number): number {
  const corners = Float64Array.from([0, ...cornersAboveZero(x)]).sort();
  let low = 0;
  let high = corners.length - 1; // the sum is above the budget at corner `low`, not above it at `high`
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (clippedSum(x, corners[middle]) > budget) low = middle;
    else high = middle;
  }
  return solvePiece(x, budget, corners[low], corners[high]);
}

function* cornersAboveZero(x: Float64Array): Generator<number> {
  for (const value of x) {
    if (value > 0) yield value;
    if (value > 1) yield value - 1;
  }
}

/** Between two neighbouring corners every entry is 0, 1 or x_e − λ, so Σ = ones + Σ_inner x − |inner| λ. */
function solvePiece(x: Float64Array, budget: number, begin: number, end: number): number {
  let ones = 0;
  let inner = 0;
  let sum = 0;
  for (const value of x) {
    if (value - 1 >= end) ones++;
    else if (value >= end && value > begin) {
      inner++;
      sum += value;
    }
  }
  return inner === 0 ? end : (ones + sum - budget) / inner;
}
