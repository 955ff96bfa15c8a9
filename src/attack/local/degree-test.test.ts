import { describe, expect, test } from "vitest";
import { csrFromEntries } from "../../graph/csr.ts";
import { symmetrise } from "../../graph/symmetrise.ts";
import { DegreeTest, degreeSums } from "./degree-test.ts";

/** 0 – 1 – 2 – 3 with 1 – 3: degrees 1, 3, 2, 2. */
const A = symmetrise(csrFromEntries(4, 4, [0, 1, 1, 2], [1, 2, 3, 3]));

describe("degreeSums", () => {
  test("leave out degrees below 2", () => {
    const { count, logs } = degreeSums(A);
    expect(count).toBe(3);
    expect(logs).toBeCloseTo(Math.log(3) + 2 * Math.log(2), 12);
  });
});

describe("DegreeTest", () => {
  /** The statistic written out for the degrees 1, 3, 2, 2 before and `after`. */
  function statistic(after: readonly number[], sign: 1 | -1): number {
    const likelihood = (degrees: readonly number[]) => {
      const N = degrees.length;
      const S = degrees.reduce((sum, d) => sum + Math.log(d), 0);
      const a = 1 + N / (S - N * Math.log(1.5));
      return N * Math.log(a) + N * a * Math.log(2) + sign * (a + 1) * S;
    };
    const before = [3, 2, 2];
    return -2 * likelihood([...before, ...after]) + 2 * (likelihood(before) + likelihood(after));
  }

  test.each(["plus", "minus"] as const)("refuses from its cutoff on, with the sign %s", (sign) => {
    const value = statistic([2, 3, 3, 2], sign === "plus" ? 1 : -1); // the edge 0 – 2 is added
    const atCutoff = (cutoff: number) => new DegreeTest(degreeSums(A), cutoff, sign).accepts([1, 2], 1);
    expect(atCutoff(value + 1e-9)).toBe(true);
    expect(atCutoff(value - 1e-9)).toBe(false);
  });

  test("goes on from flips that it was told of, compared with the clean graph", () => {
    const value = statistic([2, 2, 3, 2], -1); // 0 – 2 is added, then 1 – 3 removed: degrees 2, 2, 3, 1
    const removed = statistic([2, 2, 3], -1);
    expect(value).not.toBe(removed);
    const following = (cutoff: number) => {
      const test = new DegreeTest(degreeSums(A), cutoff, "minus");
      test.follow([1, 2], 1);
      return test.accepts([3, 2], -1);
    };
    expect(following(removed + 1e-9)).toBe(true);
    expect(following(removed - 1e-9)).toBe(false);
  });

  test("accepts what it cannot judge: a graph without any degree of 2 or more", () => {
    const single = symmetrise(csrFromEntries(3, 3, [0], [1]));
    expect(new DegreeTest(degreeSums(single), 0.004, "plus").accepts([1, 1], -1)).toBe(true);
  });
});
