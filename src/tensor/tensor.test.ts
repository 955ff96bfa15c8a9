import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { valuesOf } from "../../test/support/dense.ts";
import { createReference } from "../backend/reference/reference.ts";
import { ShapeError } from "../core/errors.ts";
import { relu } from "./ops/elementwise.ts";
import { scope } from "./scope.ts";
import { empty, expectShape, filled, sizeOf, tensor } from "./tensor.ts";

const backend = createReference();

describe("Tensor", () => {
  test("holds the values it was made with, in its shape", async () => {
    const X = tensor(backend, [1, 2, 3, 4, 5, 6], [2, 3]);
    expect([X.size, X.shape]).toEqual([6, [2, 3]]);
    expect(await valuesOf(X)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await valuesOf(filled(backend, [2], 7))).toEqual([7, 7]);
    expect(await tensor(backend, [42], []).item()).toBe(42);
  });

  test("is a copy: neither the array it was made from nor the one it was read to is its storage", async () => {
    await fc.assert(
      fc.asyncProperty(fc.float64Array({ minLength: 1, maxLength: 9, noNaN: true }), async (values) => {
        const original = [...values];
        const X = tensor(backend, values, [values.length]);
        values.fill(-1);
        (await X.read()).fill(-2);
        expect(await valuesOf(X)).toEqual(original);
      }),
      { numRuns: 20 },
    );
  });

  test("takes new values in place", async () => {
    const X = tensor(backend, [1, 2], [2]);
    X.assign(Float64Array.of(3, 4));
    expect(await valuesOf(X)).toEqual([3, 4]);
    expect(() => X.assign(Float64Array.of(1))).toThrow(new ShapeError("assign: 1 values for shape [2]"));
  });

  test("gives its storage back once, however often it is disposed", () => {
    const before = backend.memory.current;
    const X = empty(backend, [5, 2]);
    expect(backend.memory.current - before).toBe(40);
    X.dispose();
    X.dispose();
    expect([X.isDisposed, backend.memory.current]).toEqual([true, before]);
  });

  test("says that it was disposed when an op uses it or it is read", async () => {
    const message = "tensor of shape [2, 1] was disposed; keep it out of the scope that ended";
    const escaped: ReturnType<typeof empty>[] = [];
    scope(() => void escaped.push(tensor(backend, [1, 2], [2, 1])));
    expect(() => relu(escaped[0])).toThrow(message);
    await expect(escaped[0].read()).rejects.toThrow(message);
  });

  test("refuses values that do not fill its shape, and to be one number when it is not", async () => {
    expect(() => tensor(backend, [1, 2, 3], [2, 2])).toThrow(new ShapeError("tensor: 3 values for shape [2, 2]"));
    await expect(filled(backend, [2], 0).item()).rejects.toThrow("item: tensor must have one element, got shape [2]");
  });
});

describe("shapes", () => {
  test("have the product of their sizes as size, and 1 for none", () => {
    expect([sizeOf([2, 3, 4]), sizeOf([]), sizeOf([5, 0])]).toEqual([24, 1, 0]);
  });

  test("match where sizes are equal or a name stands for any", () => {
    const X = empty(backend, [2, 3]);
    expect(() => expectShape("op", "X", X, [2, "f"])).not.toThrow();
    expect(() => expectShape("op", "X", X, ["n", 4])).toThrow(
      new ShapeError("op: X must have shape [n, 4], got [2, 3]"),
    );
    expect(() => expectShape("op", "X", X, [2])).toThrow("op: X must have shape [2], got [2, 3]");
  });
});
