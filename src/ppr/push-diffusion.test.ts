import { describe, expect, test } from "vitest";
import { randomGraph } from "../../test/support/any-graph.ts";
import { denseOf } from "../../test/support/dense.ts";
import { denseDiffusion } from "../../test/support/dense-diffusion.ts";
import { csrFromEntries } from "../graph/csr.ts";
import { pushDiffusion } from "./push-diffusion.ts";

describe("pushDiffusion", () => {
  test("approaches the exact construction as the tolerance falls", () => {
    const { adjacency } = randomGraph(20, 0.2, 3);
    const exact = denseDiffusion(denseOf(adjacency), 0.2, 20).flat();
    const error = (epsilon: number) => {
      const P = denseOf(pushDiffusion(adjacency, { alpha: 0.2, epsilon, k: 20 })).flat();
      return Math.max(...P.map((x, e) => Math.abs(x - exact[e])));
    };
    expect(error(1e-6)).toBeLessThan(1e-4);
    expect(error(1e-6)).toBeLessThan(error(1e-2));
  });
  test("leaves a node without edges to itself", () => {
    const P = pushDiffusion(csrFromEntries(1, 1, [], []), { alpha: 0.15, epsilon: 1e-4, k: 64 });
    expect(denseOf(P)).toEqual([[1]]);
  });
});
