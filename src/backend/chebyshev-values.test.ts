import { describe, expect, test } from "vitest";
import { chebyshevValues } from "./chebyshev-values.ts";

describe("chebyshevValues", () => {
  test("reach 1e6 after 25 iterations at α = .15", () => {
    expect(chebyshevValues(0.85, 1e-6)).toHaveLength(26);
  });
  test("are those of the polynomials 1, x, 2x² − 1, 4x³ − 3x", () => {
    expect(chebyshevValues(0.5, 1 / 20)).toEqual([1, 2, 7, 26]);
  });
});
