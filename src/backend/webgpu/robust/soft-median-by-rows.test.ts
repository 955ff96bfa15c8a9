import { expect, test } from "vitest";
import { testGpu } from "../../../../test/support/test-gpu.ts";
import { Rng } from "../../../core/rng.ts";
import { openDevice } from "../device/device.ts";
import { Gpu } from "../device/gpu.ts";
import { backendOn } from "../webgpu.ts";
import { softMedianByRows } from "./soft-median-by-rows.ts";

const found = testGpu();
const onGpu = "reason" in found ? test.skip : test;
const why = "reason" in found ? ` (skipped: ${found.reason})` : "";

const ROWS = 100;
const NODES = 60;
const NEIGHBOURS = 40;
const COLS = 12;
const T = 0.7;

onGpu(`the gradient by the features is the same in one launch and in several that fit a cache${why}`, async () => {
  const gpu = new Gpu(await openDevice({}));
  const backend = backendOn(gpu);
  const rng = new Rng(3);
  const floats = (length: number, draw = () => rng.normal()) => backend.upload(Float32Array.from({ length }, draw));
  const out = (length: number) => backend.alloc("f32", length);
  const nodes = Int32Array.from({ length: NODES }, (_, j) => j);
  const colIdx = backend.upload(
    Int32Array.from(
      Array.from({ length: ROWS }, () =>
        [...rng.shuffle(nodes.slice()).subarray(0, NEIGHBOURS)].sort((a, b) => a - b),
      ).flat(),
    ),
  );
  const entries = ROWS * NEIGHBOURS;
  const rowPtr = backend.upload(Int32Array.from({ length: ROWS + 1 }, (_, i) => i * NEIGHBOURS));
  const S = { numRows: ROWS, numCols: NODES, rowPtr, colIdx, values: floats(entries, () => 0.05 + rng.uniform()) };
  const owners = backend.upload(Int32Array.from({ length: entries }, (_, e) => Math.floor(e / NEIGHBOURS)));
  const ends = backend.alloc("i32", NODES + 1);
  const order = backend.alloc("i32", entries);
  const sources = backend.alloc("i32", entries);
  const values = out(entries);
  backend.groupIndices(ends, order, colIdx);
  backend.gatherRows(sources, owners, order, 1);
  backend.gatherRows(values, S.values, order, 1);
  const transposed = { numRows: NODES, numCols: ROWS, rowPtr: ends, colIdx: sources, values };

  const X = floats(NODES * COLS);
  const dY = floats(ROWS * COLS);
  const Y = out(ROWS * COLS);
  const whole = softMedianByRows(gpu);
  const inParts = softMedianByRows(gpu, 2 ** 10);
  const sizes = whole.sizes(ROWS, 0);
  const at = backend.alloc("i32", ROWS * COLS);
  const output = { Y, median: out(ROWS * COLS), at, kept: out(sizes.kept) };
  const toX = { terms: out(sizes.terms), medianGrad: out(ROWS * COLS) };
  const input = { S, X, cols: COLS, temperature: T };
  const turned = { pattern: { ...transposed, values: null }, order: order!, matrix: transposed };
  whole.forward(output, input);
  whole.rowGrads(null, toX, dY, input, output);
  const once = out(NODES * COLS);
  const often = out(NODES * COLS);
  whole.featureGrads({ dX: once, transposed: turned, toX, dY, of: input, from: output });
  inParts.featureGrads({ dX: often, transposed: turned, toX, dY, of: input, from: output });
  const expected = await backend.read(once);
  const actual = await backend.read(often);
  expect(Math.max(...expected)).toBeGreaterThan(1);
  for (const [e, value] of expected.entries()) expect(actual[e]).toBeCloseTo(value, 4);
  await gpu.close();
});

onGpu(
  `rows of infinities and of numbers that are none come to an end, with holders among their neighbours${why}`,
  async () => {
    const gpu = new Gpu(await openDevice({}));
    const backend = backendOn(gpu);
    const lengths = [3, 40, 70];
    const colIdx = lengths.flatMap((length) => Array.from({ length }, (_, e) => e));
    const rowPtr = [0, 3, 43, 113];
    const rows = lengths.length;
    const nodes = 70;
    const cols = 3;
    const X = backend.upload(
      Float32Array.from({ length: nodes * cols }, (_, e) => [Number.POSITIVE_INFINITY, Number.NaN, -e][e % cols]),
    );
    const S = {
      numRows: rows,
      numCols: nodes,
      rowPtr: backend.upload(Int32Array.from(rowPtr)),
      colIdx: backend.upload(Int32Array.from(colIdx)),
      values: null,
    };
    const { sizes, forward } = softMedianByRows(gpu);
    const Y = backend.alloc("f32", rows * cols);
    const median = backend.alloc("f32", rows * cols);
    const at = backend.alloc("i32", rows * cols);
    const kept = backend.alloc("f32", sizes(rows, 0).kept);
    forward({ Y, median, at, kept }, { S, X, cols, temperature: T });
    for (const [e, holder] of (await backend.read(at)).entries()) {
      expect(holder).toBeGreaterThanOrEqual(0);
      expect(holder).toBeLessThan(lengths[Math.floor(e / cols)]);
    }
    expect([...(await backend.read(median))].filter((_, e) => e % cols === 2)).toEqual([-5, -62, -107]);
    await gpu.close();
  },
);
