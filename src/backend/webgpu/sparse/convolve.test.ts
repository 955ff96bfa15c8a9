import { expect, test } from "vitest";
import { testGpu } from "../../../../test/support/test-gpu.ts";
import { rowVectors } from "../shared/row-vectors.ts";
import { createWebGpu } from "../webgpu.ts";
import { unevenRows } from "./sparse-rows.ts";

const found = testGpu();
const onGpu = "reason" in found ? test.skip : test;
const why = "reason" in found ? ` (skipped: ${found.reason})` : "";

/** As many rows as are convolved in small workgroups, too many for the kernel suite. */
const ROWS = 2 ** 17;
const COLS = 8;
const HUB = 200;

/** A ring in which node 5 has `HUB` further neighbours, more than one team of threads takes. */
function ring() {
  const rowPtr = new Int32Array(ROWS + 1);
  const colIdx: number[] = [];
  for (let i = 0; i < ROWS; i++) {
    const more = i === 5 ? Array.from({ length: HUB }, (_, t) => 1000 + 3 * t) : [];
    colIdx.push(...[(i + ROWS - 1) % ROWS, (i + 1) % ROWS, ...more].sort((a, b) => a - b));
    rowPtr[i + 1] = colIdx.length;
  }
  return { rowPtr, colIdx: Int32Array.from(colIdx) };
}

onGpu(
  `many short rows and a long one have the sums of their neighbours, and the products on the way back${why}`,
  async () => {
    const { rowPtr, colIdx } = ring();
    expect(unevenRows(colIdx.length, ROWS, rowVectors(COLS))).toEqual({ THREADS: 64, LONG: 64 });
    const backend = await createWebGpu();
    const X = Float32Array.from({ length: ROWS * COLS }, (_, e) => ((e * 7) % 23) - 11);
    const A = {
      numRows: ROWS,
      numCols: ROWS,
      rowPtr: backend.upload(rowPtr),
      colIdx: backend.upload(colIdx),
      values: null,
    };
    const x = backend.upload(X);
    const by = backend.alloc("f32", ROWS);
    const dots = backend.alloc("f32", ROWS);
    const out = backend.alloc("f32", X.length);
    const dX = backend.alloc("f32", X.length);
    const dScale = backend.alloc("f32", ROWS);
    backend.fill(by, 0.5);
    backend.fill(dots, 3);
    backend.convolve({ out, graph: { A, B: null }, X: x, cols: COLS, scale: { by, sides: "both" } });
    backend.convolveGrad!({
      grads: { dX, dScale },
      graph: { A, B: null },
      dZ: x,
      X: x,
      cols: COLS,
      scale: { by, dots },
    });
    const sums = await backend.read(out);
    const back = await backend.read(dX);
    const slopes = await backend.read(dScale);
    for (const i of [0, 4, 5, 6, 77, ROWS - 1]) {
      let product = 0;
      for (let c = 0; c < COLS; c++) {
        let sum = X[i * COLS + c];
        for (let e = rowPtr[i]; e < rowPtr[i + 1]; e++) sum += X[colIdx[e] * COLS + c];
        expect([sums[i * COLS + c], back[i * COLS + c]]).toEqual([sum / 4, sum / 4]);
        product += (sum / 4) * X[i * COLS + c];
      }
      expect(slopes[i]).toBeCloseTo((3 + product) / 0.5, 2);
    }
    await backend.close();
  },
);
