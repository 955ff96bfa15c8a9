import { describe, expect, test } from "vitest";
import { incompleteBeta, inverseIncompleteBeta } from "./incomplete-beta.ts";

describe("incompleteBeta", () => {
  test.each([
    [0.5, 2, 3, 0.6875],
    [0.1, 0.5, 0.5, 0.2048327646991334],
    [0.9, 20, 3, 0.6200409384119033],
    [0.25, 100, 300, 0.5076806528982708],
    [0.3, 3000, 7001, 0.50377237754577],
    [0.001, 1, 10_000, 0.9999548266540229],
    [0.9, 9000, 1001, 0.5084210392652658],
    [0.9995, 10_000, 1, 0.00672952702214296],
  ])("at %d of (%d, %d) is the value that 40 digits give", (x, a, b, expected) => {
    expect(Math.abs(incompleteBeta(x, a, b) / expected - 1)).toBeLessThan(1e-10);
  });
  test("is 0 and 1 at the ends", () => {
    expect(incompleteBeta(0, 3, 4)).toBe(0);
    expect(incompleteBeta(1, 3, 4)).toBe(1);
  });
});

describe("inverseIncompleteBeta", () => {
  test.each([
    [0.05 / 7, 10_000, 1, 0.9995059578367783],
    [0.05 / 7, 9000, 1001, 0.892425170703442],
    [0.025, 5, 6, 0.1870860284473985],
    [0.5, 2, 2, 0.5],
    [0.975, 50, 51, 0.5919636708445463],
    [0.01, 123, 45, 0.6491532161471579],
    [0.05, 1, 10, 0.005116196891823701],
  ])("of %d for (%d, %d) is the value that 40 digits give", (p, a, b, expected) => {
    expect(Math.abs(inverseIncompleteBeta(p, a, b) / expected - 1)).toBeLessThan(1e-11);
  });
  test("undoes the function", () => {
    for (const x of [0.01, 0.3, 0.7, 0.999])
      expect(inverseIncompleteBeta(incompleteBeta(x, 7, 3), 7, 3)).toBeCloseTo(x, 10);
  });
  test("is 0 and 1 at the ends", () => {
    expect(inverseIncompleteBeta(0, 3, 4)).toBe(0);
    expect(inverseIncompleteBeta(1, 3, 4)).toBe(1);
  });
});
