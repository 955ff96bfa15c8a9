import { describe, expect, test } from "vitest";
import { agreement } from "./agreement.ts";

const numbers = (length: number) => Array.from({ length }, (_, t) => Math.sin(t * t + 1));

describe("agreement", () => {
  test("of a list with itself, or with twice itself, is complete", () => {
    const x = numbers(200);
    const twice = x.map((value) => 2 * value);
    for (const share of Object.values(agreement(x, twice, 0.05))) expect(share).toBeCloseTo(1, 12);
  });

  test("of a list with its opposite is -1, and no top entry is shared", () => {
    const x = numbers(200);
    const { cosine, rankCorrelation, topOverlap } = agreement(
      x,
      x.map((value) => -value),
      0.05,
    );
    expect(cosine).toBeCloseTo(-1, 12);
    expect(rankCorrelation).toBeCloseTo(-1, 12);
    expect(topOverlap).toBe(0);
  });

  test("counts ranks and top entries as worked by hand", () => {
    const { rankCorrelation, topOverlap } = agreement([1, 2, 3, 4], [1, 3, 2, 400], 0.5);
    expect(rankCorrelation).toBeCloseTo(0.8, 12); // 1 − 6·2 / (4·15)
    expect(topOverlap).toBe(0.5);
  });
});
