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
