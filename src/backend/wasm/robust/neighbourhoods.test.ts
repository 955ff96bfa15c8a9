import { expect, test } from "vitest";
import { createWasm } from "../wasm.ts";

test("a row of more neighbours than can be compared in pairs is refused before anything is written", async () => {
  const backend = await createWasm({ threads: 1 });
  const count = 33_000; // 4 · 33,000² bytes do not fit 32 bits
  const S = {
    numRows: 1,
    numCols: count,
    rowPtr: backend.upload(Int32Array.of(0, count)),
    colIdx: backend.upload(Int32Array.from({ length: count }, (_, j) => j)),
    values: null,
  };
  const [out, shares, X, scale] = [1, count, count, 1].map((length) => backend.alloc("f32", length));
  const options = { scale, temperature: 1, weightCorrection: true };
  expect(() => backend.softMedoid({ out, shares, S, X, cols: 1, options })).toThrow(
    "a row of 33000 neighbours with 1 columns is too long to gather",
  );
  await backend.close();
});

test("so is a row whose gathered neighbours need 2 GiB", async () => {
  const backend = await createWasm({ threads: 1 });
  const [count, cols] = [270_000, 2048];
  const S = {
    numRows: 1,
    numCols: 1,
    rowPtr: backend.upload(Int32Array.of(0, count)),
    colIdx: backend.upload(new Int32Array(count)),
    values: null,
  };
  const [median, X] = [backend.alloc("f32", cols), backend.alloc("f32", cols)];
  expect(() => backend.weightedMedian(median, backend.alloc("i32", cols), S, X, cols)).toThrow(
    `a row of ${count} neighbours with ${cols} columns is too long to gather`,
  );
  await backend.close();
});
