import { describe, expect, test } from "vitest";
import { disagreement } from "./trial-check.ts";

describe("disagreement", () => {
  const before = [1, 3, -1];
  const after = [-1, 3, -1];
  test("finds nothing wrong with what the margins say", () => {
    expect(disagreement({ score: -1, potential: -1 }, before, after)).toBeNull();
  });
  test("says which number is wrong, and what it should be", () => {
    expect(disagreement({ score: 0, potential: -1 }, before, after)).toBe("a change of the score is 0 instead of -1");
    expect(disagreement({ score: -1, potential: -0.5 }, before, after)).toBe(
      "a potential changes by -0.5 instead of -1",
    );
  });
  test("leaves it open on which side of 0 a margin is that moves within rounding of it", () => {
    expect(disagreement({ score: 0, potential: -1e-7 }, [1e-7], [-1e-12])).toBeNull();
    expect(disagreement({ score: 0, potential: 0 }, [1e-7], [1e-7])).toBeNull();
    expect(disagreement({ score: 1, potential: 0 }, [1e-7], [1e-7])).not.toBeNull();
  });
});
