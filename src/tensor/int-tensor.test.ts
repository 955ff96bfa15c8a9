import { describe, expect, test } from "vitest";
import { createReference } from "../backend/reference/reference.ts";
import { IntTensor } from "./int-tensor.ts";
import { scope } from "./scope.ts";

const backend = createReference();

describe("IntTensor", () => {
  test("holds indices, also negative ones", async () => {
    const labels = IntTensor.from(backend, [3, -1, 0]);
    expect(labels.length).toBe(3);
    expect(await labels.read()).toEqual(Int32Array.of(3, -1, 0));
  });

  test("is freed at the end of its scope and says so when it is used", () => {
    const before = backend.memory.current;
    const escaped: IntTensor[] = [];
    scope(() => void escaped.push(IntTensor.from(backend, [1, 2])));
    expect(backend.memory.current).toBe(before);
    expect(() => escaped[0].buffer).toThrow("index vector of length 2 was disposed; keep it out of the scope");
    escaped[0].dispose();
    expect(backend.memory.current).toBe(before);
  });
});
