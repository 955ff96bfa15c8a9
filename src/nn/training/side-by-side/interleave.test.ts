import { expect, test } from "vitest";
import { interleave, separate } from "./interleave.ts";

test("matrices stand side by side, row by row, and come back as they were", () => {
  const matrices = [Float32Array.of(1, 2, 3, 4), Float32Array.of(10, 20, 30, 40)];
  const together = interleave(matrices, 2);
  expect(together).toEqual(Float32Array.of(1, 2, 10, 20, 3, 4, 30, 40));
  expect(separate(together, 2, 2)).toEqual(matrices);
});
