import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyGraph, randomGraph } from "../../test/support/any-graph.ts";
import { denseOf, valuesOf } from "../../test/support/dense.ts";
import type { Backend } from "../backend/backend.ts";
import { createReference } from "../backend/reference/reference.ts";
import { MemoryError } from "../core/errors.ts";
import { isSparse } from "../graph/graph.ts";
import { toDevice, withGraph } from "./graph-view.ts";
import { propagate } from "./ops/propagate.ts";
import { scope } from "./scope.ts";
import { SparseMatrix } from "./sparse-matrix.ts";
import { filled, type Tensor } from "./tensor.ts";

const backend = createReference();

describe("toDevice", () => {
  test("copies adjacency and features, dense or sparse, of any graph", async () => {
    await fc.assert(
      fc.asyncProperty(anyGraph, async (graph) => {
        const view = toDevice(backend, graph);
        expect([...(await backend.read(view.adjacency.buffers.colIdx))]).toEqual([...graph.adjacency.colIdx]);
        expect(view.adjacency.values).toBeNull();
        expect(view.overlay).toBeNull();
        const { features } = view;
        if (isSparse(graph.features)) {
          expect(features).toBeInstanceOf(SparseMatrix);
          expect(denseOf((features as SparseMatrix).host)).toEqual(denseOf(graph.features));
        } else {
          expect(await valuesOf(features as Tensor)).toEqual([...graph.features.data]);
        }
        view.dispose();
      }),
      { numRuns: 30 },
    );
  });

  test.each([true, false])("gives all memory back when it is disposed, sparse features: %s", (sparse) => {
    const before = backend.memory.current;
    const view = toDevice(backend, randomGraph(6, 0.5, 1, { sparse }));
    expect(backend.memory.current).toBeGreaterThan(before);
    view.dispose();
    expect(backend.memory.current).toBe(before);
  });

  test.each([true, false])("outlives the scope it is made in, sparse features: %s", (sparse) => {
    const made: ReturnType<typeof toDevice>[] = [];
    scope(() => void made.push(toDevice(backend, randomGraph(6, 0.5, 1, { sparse }))));
    expect(() => propagate(made[0], filled(backend, [6, 1], 1))).not.toThrow();
    const { features } = made[0];
    expect(() => (features instanceof SparseMatrix ? features.buffers : features.buffer)).not.toThrow();
  });

  test.each([1, 2, 3, 4, 5])("keeps nothing when there is no memory for its upload number %i", (last) => {
    const before = backend.memory.current;
    let uploads = 0;
    const full: Backend = {
      ...backend,
      upload(data) {
        if (++uploads === last) throw new MemoryError("upload: full");
        return backend.upload(data);
      },
    };
    const graph = randomGraph(6, 0.5, 1, { sparse: true }); // two matrices, one with values
    expect(() => toDevice(full, graph)).toThrow("upload: full");
    expect(backend.memory.current).toBe(before);
  });
});

describe("withGraph", () => {
  test("shares the features and owns the new edges", async () => {
    const view = toDevice(backend, randomGraph(5, 0, 1));
    const before = backend.memory.current;
    const denser = scope(() => withGraph(view, randomGraph(5, 1, 1)));
    expect(denser.features).toBe(view.features);
    const sums = scope(() => propagate(denser, filled(backend, [5, 1], 1)));
    expect(await valuesOf(sums)).toEqual([4, 4, 4, 4, 4]);
    sums.dispose();
    denser.dispose();
    expect(backend.memory.current).toBe(before);
    expect(() => propagate(view, filled(backend, [5, 1], 1))).not.toThrow();
  });
});
