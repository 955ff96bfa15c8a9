import { describe, expect, test } from "vitest";
import { randomGraph } from "../../test/support/any-graph.ts";
import { makeBlock, randomBlock } from "../../test/support/block.ts";
import { expectValues, valuesOf } from "../../test/support/dense.ts";
import { randomTensor } from "../../test/support/random-tensor.ts";
import type { Backend } from "../backend/backend.ts";
import { createReference } from "../backend/reference/reference.ts";
import { PairGradient } from "./pair-gradient.ts";
import { scope } from "./scope.ts";

const backend = createReference();
const graph = randomGraph(9, 0.4, 1);
const { pairs, signs } = makeBlock(backend, graph, randomBlock(graph, 2));
/** As many columns as the factors of these pairs may have to wait. */
const NARROW = Math.floor(pairs.length / graph.numNodes);

/** Two products, one of them scaled, and a sum. */
function addTerms(gradient: PairGradient, cols: number): void {
  const matrix = (seed: number) => randomTensor(backend, [graph.numNodes, cols], seed);
  gradient.addProduct(matrix(3), matrix(4));
  gradient.addProduct(matrix(5), matrix(6), { by: randomTensor(backend, [graph.numNodes], 7).buffer, sides: "both" });
  gradient.addSums(randomTensor(backend, [graph.numNodes], 8), "both");
}

/** The same backend, less the kernel that takes all terms at once. */
const { pairTerms: _, ...termByTerm } = backend;

describe("PairGradient", () => {
  test.each([1, NARROW, NARROW + 1])(
    "is the same for factors of %i columns that wait and that do not",
    async (cols) => {
      const [waiting, eager] = [backend, termByTerm as Backend].map((on) => {
        const gradient = new PairGradient(on, pairs);
        addTerms(gradient, cols);
        return gradient.take(signs);
      });
      await expectValues(waiting!, await valuesOf(eager!));
    },
  );

  test("lets narrow factors wait, and gives their memory back", () => {
    const before = backend.memory.current;
    const gradient = new PairGradient(backend, pairs);
    const matrix = randomTensor(backend, [graph.numNodes, NARROW], 1);
    gradient.addProduct(matrix, matrix);
    gradient.take(signs).dispose();
    matrix.dispose();
    expect(backend.memory.current).toBe(before);
  });

  test("adds sums that it may keep with the signs, and others at once", async () => {
    const on = termByTerm as Backend;
    const sums = () => randomTensor(on, [graph.numNodes], 8);
    const before = backend.memory.current;
    const [kept, added] = [true, false].map((isLocal) =>
      scope(() => {
        const gradient = new PairGradient(on, pairs);
        const outside = sums();
        scope(() => {
          for (const x of isLocal ? [sums(), outside] : [outside, outside]) gradient.addSums(x, "both");
        });
        return gradient.take(signs);
      }),
    );
    await expectValues(kept!, await valuesOf(added!));
    for (const gradient of [kept!, added!]) gradient.dispose();
    expect(backend.memory.current).toBe(before);
  });

  test("is 0 where no op has left a share", async () => {
    await expectValues(new PairGradient(backend, pairs).take(signs), new Array(pairs.length).fill(0));
  });
});
