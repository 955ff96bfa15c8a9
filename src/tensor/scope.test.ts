import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createReference } from "../backend/reference/reference.ts";
import { csrFromEntries } from "../graph/csr.ts";
import { IntTensor } from "./int-tensor.ts";
import { add, square } from "./ops/elementwise.ts";
import { sumSquares } from "./ops/reductions.ts";
import { isLocal, keep, scope } from "./scope.ts";
import { SparseMatrix } from "./sparse-matrix.ts";
import { valueAndGrad } from "./tape.ts";
import { filled, type Tensor } from "./tensor.ts";

const backend = createReference();
const make = () => filled(backend, [10], 1);

describe("scope", () => {
  test("frees what the step made, except what it returns", () => {
    const before = backend.memory.current;
    const result = scope(() => add(square(make()), make()));
    expect(backend.memory.current - before).toBe(40);
    result.dispose();
    expect(backend.memory.current).toBe(before);
  });

  test("returns tensors inside arrays and plain objects, however deep", () => {
    const result = scope(() => ({
      a: make(),
      rest: [make(), { b: make(), index: IntTensor.from(backend, [1]) }] as const,
    }));
    const items = [result.a, result.rest[0], result.rest[1].b];
    expect(items.map((item) => item.isDisposed)).toEqual([false, false, false]);
    expect(() => result.rest[1].index.buffer).not.toThrow();
  });

  test("hands what it returns to the scope around it", () => {
    let inner: Tensor | null = null;
    scope(() => {
      inner = scope(make);
      expect(inner.isDisposed).toBe(false);
      expect(isLocal(inner)).toBe(true);
    });
    expect(inner!.isDisposed).toBe(true);
  });

  test("leaves tensors from outside alone, returned or not", () => {
    const outside = make();
    expect(scope(() => outside)).toBe(outside);
    scope(() => void square(outside));
    expect(outside.isDisposed).toBe(false);
  });

  test("frees everything when the step throws, and the scope around goes on", () => {
    scope(() => {
      const mine = make();
      const before = backend.memory.current;
      expect(() =>
        scope(() => {
          make();
          throw new Error("no");
        }),
      ).toThrow("no");
      expect(backend.memory.current).toBe(before);
      expect(isLocal(mine)).toBe(true);
    });
  });

  test("returns a sparse matrix whole, uploaded or with values of the step", () => {
    const host = csrFromEntries(2, 2, [0, 1], [1, 0], [3, 4]);
    const before = backend.memory.current;
    const uploaded = scope(() => SparseMatrix.upload(backend, host));
    expect(() => uploaded.buffers).not.toThrow();
    const weighted = scope(() => uploaded.withValues(filled(backend, [2], 5)));
    expect(weighted.values!.isDisposed).toBe(false);
    weighted.values!.dispose();
    uploaded.dispose();
    expect(backend.memory.current).toBe(before);
  });

  test("frees all it made, in any nesting", () => {
    const tree = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof({ maxDepth: 4 }, fc.constant([]), fc.array(tie("node"), { maxLength: 3 })),
    })).node;
    fc.assert(
      fc.property(tree, (shape) => {
        const grow = (children: unknown): Tensor =>
          scope(() => (children as unknown[]).map(grow).reduce((a, b) => add(a, b), make()));
        const before = backend.memory.current;
        const result = grow(shape);
        expect(backend.memory.current - before).toBe(40);
        result.dispose();
      }),
      { numRuns: 30 },
    );
  });

  test("of its own around part of a step with a gradient says that it freed too much", () => {
    const x = make();
    expect(() => valueAndGrad(() => [scope(() => sumSquares(square(x)))], [x])).toThrow(
      "tensor of shape [10] was disposed; keep it out of the scope that ended",
    );
  });
});

describe("keep", () => {
  test("lets a tensor outlive every scope until it is disposed", () => {
    const kept = scope(() => scope(() => ({ id: [keep(make())] })).id[0]);
    const hidden: Tensor[] = [];
    scope(() => void scope(() => void hidden.push(keep(make()))));
    expect([kept.isDisposed, hidden[0].isDisposed]).toEqual([false, false]);
    hidden[0].dispose();
    expect(hidden[0].isDisposed).toBe(true);
  });

  test("lets a sparse matrix outlive them with all its parts", () => {
    const matrices: SparseMatrix[] = [];
    scope(() => {
      const uploaded = keep(SparseMatrix.upload(backend, csrFromEntries(2, 2, [0, 1], [1, 0])));
      matrices.push(uploaded, keep(uploaded.withValues(filled(backend, [2], 5))));
    });
    for (const matrix of matrices) expect(() => matrix.buffers).not.toThrow();
  });
});
