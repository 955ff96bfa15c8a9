import { describe, expect, test } from "vitest";
import type { Buffer, PairBuffers, Unary } from "../../src/backend/backend.ts";
import { createReference } from "../../src/backend/reference/reference.ts";
import { backendSuite } from "./backend-suite.ts";

backendSuite("reference", createReference);

/** The reference against numbers worked by hand: the suite above only compares it with itself. */
const on = createReference();
const f32 = (...values: number[]) => on.upload(Float64Array.from(values));
const i32 = (...values: number[]) => on.upload(Int32Array.from(values));
const read = async (buffer: Buffer) => [...(await on.read(buffer))];

/** Runs a kernel on a fresh output and reads it. */
async function result(length: number, run: (out: Buffer) => void, dtype: "f32" | "i32" = "f32"): Promise<number[]> {
  const out = on.alloc(dtype, length);
  run(out);
  return read(out);
}

function expectClose(actual: number[], expected: number[]): void {
  expect(actual.length).toBe(expected.length);
  for (const [e, value] of expected.entries()) expect(actual[e]).toBeCloseTo(value, 12);
}

describe("the reference, elementwise", () => {
  const cases: Record<Unary, [x: number, y: number, derivative: number][]> = {
    relu: [
      [-2, 0, 0],
      [0, 0, 0],
      [3, 3, 1],
    ],
    leakyRelu: [
      [-2, -0.4, 0.2],
      [0, 0, 0.2],
      [3, 3, 1],
    ],
    elu: [
      [-Math.LN2, -0.5, 0.5],
      [0, 0, 1],
      [3, 3, 1],
    ],
    tanh: [
      [0, 0, 1],
      [Math.log(3) / 2, 0.5, 0.75],
    ],
    exp: [
      [0, 1, 1],
      [Math.LN2, 2, 2],
    ],
    log: [
      [1, 0, 1],
      [2, Math.LN2, 0.5],
    ],
    sqrt: [
      [4, 2, 0.25],
      [0.25, 0.5, 1],
    ],
    rsqrt: [
      [0, 0, 0],
      [4, 0.5, -1 / 16],
    ],
    reciprocal: [
      [0, 0, 0],
      [-4, -0.25, -1 / 16],
    ],
    square: [
      [-3, 9, -6],
      [0.5, 0.25, 1],
    ],
  };
  test.each(Object.keys(cases) as Unary[])("knows %s and its slope", async (kind) => {
    const [x, y, slope] = [0, 1, 2].map((part) => cases[kind].map((row) => row[part]));
    const X = f32(...x!);
    const Y = on.alloc("f32", x!.length);
    on.unary(kind, Y, X);
    expectClose(await read(Y), y!);
    const dY = f32(...x!.map(() => 10));
    expectClose(
      await result(x!.length, (dX) => on.unaryGrad(kind, dX, dY, X, Y)),
      slope!.map((s) => 10 * s),
    );
  });
  test("adds, subtracts, multiplies and divides", async () => {
    const A = f32(6, -1);
    const B = f32(3, 4);
    expect(await result(2, (out) => on.binary("add", out, A, B))).toEqual([9, 3]);
    expect(await result(2, (out) => on.binary("sub", out, A, B))).toEqual([3, -5]);
    expect(await result(2, (out) => on.binary("mul", out, A, B))).toEqual([18, -4]);
    expect(await result(2, (out) => on.binary("div", out, A, B))).toEqual([2, -0.25]);
    expect(await result(2, (out) => on.affine({ out, a: 2, A, b: -1, B, c: 5 }))).toEqual([14, -1]);
    expect(await result(2, (out) => on.affine({ out, a: 2, A, b: 99, B: null, c: 5 }))).toEqual([17, 3]);
    expect(await result(2, (out) => on.clip(out, A, 0, 5))).toEqual([5, 0]);
    expect(await result(1, (out) => on.copy(out, B))).toEqual([3]);
    expect(await result(2, (out) => on.fill(out, 0.5))).toEqual([0.5, 0.5]);
  });
  test("drops what the published Philox words of counter 0 and key 0 say", async () => {
    // 6627e8d5 e169c58d bc57ac4c 9b00dbd8, in halves: e8d5 6627 c58d e169 …
    const dropped = (rate: number) => result(4, (out) => on.dropout(out, f32(1, 2, 3, 4), rate, { lo: 0, hi: 0 }));
    expect(await dropped(0.5)).toEqual([2, 0, 6, 8]);
    expect(await dropped(0.875)).toEqual([8, 0, 0, 32]);
    expect(await dropped(0)).toEqual([1, 2, 3, 4]);
  });
  test("drops out after relu, and reads the gradient off what is left", async () => {
    const X = f32(1, 2, -3, 4);
    const dY = f32(1, 1, 1, 1);
    const Y = await result(4, (out) => on.reluDropout(out, X, 0.5, { lo: 0, hi: 0 }));
    expect(Y).toEqual([2, 0, 0, 8]);
    expect(await result(4, (out) => on.reluDropoutGrad(out, dY, f32(...Y), 0.5))).toEqual([2, 0, 0, 2]);
  });
  test("keeps the lower of two scores, and copies if told to", async () => {
    const chosen = f32(9);
    const best = f32(2);
    const X = f32(0, 0);
    on.improve(chosen, best, f32(1.5));
    expect([await read(chosen), await read(best)]).toEqual([[1], [1.5]]);
    on.copyIf([[X, f32(7, 8)]], chosen);
    on.improve(chosen, best, f32(1.5));
    expect([await read(chosen), await read(best)]).toEqual([[0], [1.5]]);
    on.copyIf([[X, f32(0, 0)]], chosen);
    expect(await read(X)).toEqual([7, 8]);
  });
  test("refuses to drop everything", () => {
    expect(() => on.dropout(f32(1), f32(1), 1, { lo: 0, hi: 0 })).toThrow("dropout: rate must be in [0, 1), got 1");
  });
});

describe("the reference, on rows", () => {
  const X = f32(1, 2, 3, 4, 5, 6); // [2, 3]
  test("scales rows and columns", async () => {
    expect(await result(6, (out) => on.scaleRows({ out, X, scale: f32(10, -1), rows: 2, cols: 3 }))).toEqual([
      10, 20, 30, -4, -5, -6,
    ]);
    const sum = f32(1, 1, 1, 1, 1, 1);
    on.scaleRows({ out: sum, X, scale: f32(10, -1), rows: 2, cols: 3, accumulate: true });
    expect(await read(sum)).toEqual([11, 21, 31, -3, -4, -5]);
    const scaled = await result(6, (out) =>
      on.affineCols({ out, X, scale: f32(1, 0, 2), shift: f32(0, 7, 1), rows: 2, cols: 3 }),
    );
    expect(scaled).toEqual([1, 7, 7, 4, 7, 13]);
  });
  test("adds up rows and columns", async () => {
    expect(await result(2, (out) => on.rowDots(out, X, null, 2, 3))).toEqual([6, 15]);
    expect(await result(2, (out) => on.rowDots(out, X, X, 2, 3))).toEqual([14, 77]);
    expect(await result(3, (out) => on.colDots(out, X, null, 2, 3))).toEqual([5, 7, 9]);
    expect(await result(3, (out) => on.colDots(out, X, X, 2, 3))).toEqual([17, 29, 45]);
  });
  test("turns logits into probabilities, and gradients back", async () => {
    const logits = f32(0, Math.log(3), 500, 500); // probabilities 1/4, 3/4 and 1/2, 1/2
    const Y = f32(0.25, 0.75, 0.5, 0.5);
    const dY = f32(4, 0, 1, 1);
    expectClose(await result(4, (out) => on.softmaxRows(out, logits, 2, 2)), [0.25, 0.75, 0.5, 0.5]);
    expectClose(await result(4, (dX) => on.softmaxRowsGrad(dX, dY, Y, 2, 2)), [0.75, -0.75, 0, 0]);
    const logs = [0.25, 0.75, 0.5, 0.5].map(Math.log);
    expectClose(await result(4, (out) => on.logSoftmaxRows(out, logits, 2, 2)), logs);
    expectClose(await result(4, (dX) => on.logSoftmaxRowsGrad(dX, dY, f32(...logs), 2, 2)), [3, -3, 0, 0]);
  });
  test("finds the largest entry, the first of equals, and passes over one column", async () => {
    const logits = f32(1, 7, 7, 9, 0, 3);
    expect(await result(2, (out) => on.argmaxRows(out, logits, 2, 3), "i32")).toEqual([1, 0]);
    expect(await result(2, (out) => on.argmaxRows(out, logits, 2, 3, i32(1, 0)), "i32")).toEqual([2, 2]);
    expect(await result(1, (out) => on.argmaxRows(out, f32(5), 1, 1, i32(0)), "i32")).toEqual([-1]);
  });
  test("gathers, scatters and picks", async () => {
    expect(await result(6, (out) => on.gatherRows(out, f32(1, 2, 3, 4), i32(1, 0, 1), 2))).toEqual([3, 4, 1, 2, 3, 4]);
    const sum = f32(100, 100, 0, 0);
    on.scatterAddRows(sum, X, i32(1, 0, 1), 2, 2);
    expect(await read(sum)).toEqual([103, 104, 6, 8]);
    expect(await result(2, (out) => on.pick(out, X, i32(2, 0), 3))).toEqual([3, 4]);
    const dX = f32(1, 1, 1, 1, 1, 1);
    on.pickGrad(dX, f32(10, 20), i32(2, 0), 3);
    expect(await read(dX)).toEqual([1, 1, 11, 21, 1, 1]);
  });
  test("says which index is out of range", () => {
    expect(() => on.gatherRows(f32(0, 0), X, i32(0, 6), 1)).toThrow("gatherRows: index[1] must be in 0 … 5, got 6");
  });
  test("reduces buffers to one number", async () => {
    expect(await result(1, (out) => on.dot(out, X, X))).toEqual([91]);
    expect(await result(1, (out) => on.dot(out, X, null))).toEqual([21]);
    expect(await result(1, (out) => on.max(out, f32(-3, -1, -2)))).toEqual([-1]);
    expect(await result(1, (out) => on.countEqual(out, i32(1, 2, 3), i32(1, 0, 3)))).toEqual([2]);
  });
});

describe("the reference, products and sparse rows", () => {
  const S = { numRows: 2, numCols: 3, rowPtr: i32(0, 2, 3), colIdx: i32(0, 2, 1), values: f32(2, -1, 5) };
  const pairs: PairBuffers = { numNodes: 3, directed: true, length: 2, sources: i32(0, 2), targets: i32(1, 0) };
  test("multiplies matrices in all four forms", async () => {
    const A = f32(1, 2, 3, 4, 5, 6);
    const At = f32(1, 4, 2, 5, 3, 6);
    const B = f32(1, 0, 2, 1, 0, 3);
    const Bt = f32(1, 2, 0, 0, 1, 3);
    const size = { m: 2, n: 2, k: 3 };
    const AB = [5, 11, 14, 23];
    expect(await result(4, (out) => on.matmul(out, A, B, size))).toEqual(AB);
    expect(await result(4, (out) => on.matmul(out, At, B, { ...size, transA: true }))).toEqual(AB);
    expect(await result(4, (out) => on.matmul(out, A, Bt, { ...size, transB: true }))).toEqual(AB);
    expect(await result(4, (out) => on.matmul(out, At, Bt, { ...size, transA: true, transB: true }))).toEqual(AB);
    const sum = f32(100, 0, 0, 0);
    on.matmul(sum, A, B, { ...size, accumulate: true });
    expect(await read(sum)).toEqual([105, 11, 14, 23]);
  });
  test("multiplies a sparse matrix by a dense one", async () => {
    const X = f32(1, 2, 3, 4, 5, 6); // [3, 2]
    expect(await result(4, (out) => on.spmm(out, S, X, 2))).toEqual([-3, -2, 15, 20]);
    expect(await result(4, (out) => on.spmm(out, { ...S, values: null }, X, 2))).toEqual([6, 8, 3, 4]);
    expect(await result(2, (out) => on.rowSums(out, S))).toEqual([1, 5]);
    expect(await result(2, (out) => on.rowSums(out, { ...S, values: null }))).toEqual([2, 1]);
  });
  test("takes inner products and sums of the ends of pairs", async () => {
    const P = f32(1, 2, 3, 4, 5, 6);
    const Q = f32(1, 0, 0, 1, 1, 1); // [3, 2]; pairs (0, 1) and (2, 0)
    expect(await result(2, (out) => on.sddmm({ out, pairs, P, Q, cols: 2 }))).toEqual([2, 5]);
    expect(await result(2, (out) => on.sddmm({ out, pairs, P, Q, cols: 2, symmetric: true }))).toEqual([5, 8]);
    const x = f32(1, 10, 100);
    expect(await result(2, (out) => on.pairSums({ out, pairs, x, ends: "source" }))).toEqual([1, 100]);
    expect(await result(2, (out) => on.pairSums({ out, pairs, x, ends: "target" }))).toEqual([10, 1]);
    expect(await result(2, (out) => on.pairSums({ out, pairs, x, ends: "both" }))).toEqual([11, 101]);
  });
  test("spreads attention over the entries of each row", async () => {
    const y = await result(3, (out) => on.edgeSoftmax(out, S, f32(0, Math.log(3), -7)));
    expectClose(y, [0.25, 0.75, 1]);
    expectClose(await result(3, (dx) => on.edgeSoftmaxGrad(dx, S, f32(4, 0, 9), f32(...y))), [0.75, -0.75, 0]);
  });
});

describe("the reference, robust aggregation", () => {
  // Neighbours 0, 1 and 2 of row 0 weigh 1, 2 and 1; row 1 has none.
  const S = { numRows: 2, numCols: 3, rowPtr: i32(0, 3, 3), colIdx: i32(0, 1, 2), values: f32(1, 2, 1) };
  test("takes the lower median where the weights split evenly, and names its lowest holder", async () => {
    const X = f32(5, 0, 1, 7, 1, 7); // column 0: 1, 1, 5 with weights 2, 1, 1; column 1: 0, 7, 7 with 1, 2, 1
    const median = f32(-1, -1, -1, -1);
    const at = i32(9, 9, 9, 9);
    on.weightedMedian(median, at, S, X, 2);
    expect([await read(median), await read(at)]).toEqual([
      [1, 7, 0, 0],
      [1, 1, -1, -1],
    ]);
    on.weightedMedian(median, at, { ...S, values: f32(2, 1, 1) }, f32(3, 0, 4, 0, 5, 0), 2);
    expect(await read(at)).toEqual([0, 0, -1, -1]); // 3 holds exactly half of the weight
  });
  test("weighs neighbours by their distance to the median", async () => {
    const saved = { median: f32(9, 9), at: i32(9, 9), shares: f32(9, 9, 9) };
    const X = f32(0, Math.LN2, 3 * Math.LN2); // T = 1: the distances ln 2, 0, 2 ln 2 weigh ½, 1, ¼
    const y = await result(2, (out) => on.softMedian({ out, saved, S, X, cols: 1, temperature: 1 })); // Z = ½ + 2 + ¼, W = 4
    expectClose(await read(saved.shares), [2 / 11, 4 / 11, 1 / 11]);
    expect(await read(saved.at)).toEqual([1, -1]);
    expectClose(y, [(4 * Math.LN2 * (8 + 3)) / 11, 0]);
  });
  test("adds up what rows say of their neighbours, and what they say of those that hold a median", async () => {
    const pattern = { numRows: 1, numCols: 2, rowPtr: i32(0, 2), colIdx: i32(0, 1), values: null };
    const terms = f32(3, 20, 2, 10);
    const order = i32(1, 0); // those of the entry in column 1 come first
    const from = { terms, order, G: f32(1, 1), M: f32(4, 5), X: f32(6) };
    expect(await result(1, (dX) => on.pullRows(dX, pattern, from, 1))).toEqual([2 + 3 + 10 * 2 + 20 * 1]);
    const held = { grad: f32(100, 200), at: i32(0, -1) };
    expect(await result(1, (dX) => on.pullRows(dX, pattern, { ...from, held }, 1))).toEqual([145]);
  });
  test("weighs neighbours by their distances to all others", async () => {
    const pair = { numRows: 1, numCols: 2, rowPtr: i32(0, 2), colIdx: i32(0, 1), values: f32(1, 3) };
    const options = { temperature: 2 / Math.LN2, scale: f32(4), weightCorrection: true };
    const shares = f32(9, 9); // δ = 3·1 and 1·1: e^(−δ/T) = 2^(−3/2) and 2^(−1/2), so q ∝ 1·½ and 3·1
    const y = await result(1, (out) => on.softMedoid({ out, shares, S: pair, X: f32(0, 1), cols: 1, options }));
    expectClose([...(await read(shares)), ...y], [1 / 7, 6 / 7, 24 / 7]);
  });
});

describe("the reference, selection and blocks", () => {
  const triangle: PairBuffers = {
    numNodes: 3,
    directed: false,
    length: 3,
    sources: i32(0, 0, 1),
    targets: i32(1, 2, 2),
  };
  test("orders the largest values", async () => {
    expect(await result(4, (out) => on.topK(out, f32(1, 5, -2, 5, 3)), "i32")).toEqual([1, 3, 4, 0]);
    expect(() => on.topK(on.alloc("i32", 3), f32(1, 2))).toThrow("topK: 3 of 2 values asked for");
  });
  test("makes the first two steps of Adam", async () => {
    const parameter = f32(1);
    const m = f32(0);
    const v = f32(0);
    const options = { learningRate: 0.1, weightDecay: 0.5, beta1: 0.9, beta2: 0.99, epsilon: 0 };
    on.adam(parameter, f32(1.5), m, v, { ...options, step: 1 }); // slope 2: the first step is the learning rate itself
    expectClose([...(await read(parameter)), ...(await read(m)), ...(await read(v))], [0.9, 0.2, 0.04]);
    on.adam(parameter, f32(-0.45), m, v, { ...options, step: 2 }); // slope 0: m = 0.18, v = 0.0396
    expectClose(await read(parameter), [0.9 - (0.1 * (0.18 / 0.19)) / Math.sqrt(0.0396 / 0.0199)]);
  });
  test("shifts weights to the budget", async () => {
    const x = f32(0.5, 1.7, -3, 0.9); // clipped mass 2.4; with λ = 0.8 it is 0 + 0.9 + 0 + 0.1
    expectClose(await result(2, (out) => on.projectOntoBudget(out, x, 1, 0.01)), [2.4, 0.8]);
    expectClose(await read(x), [0.01, 0.9, 0.01, 0.1]);
  });
  test("draws the pair that the published Philox word of counter 0 and key 0 says", async () => {
    const pairs = { numNodes: 5, directed: false, length: 1, sources: i32(-1), targets: i32(-1) };
    on.samplePairs(pairs, "uniform", { lo: 0, hi: 0 }); // 6627e8d5 / 2^32 · 10 pairs = 3.99: pair 3
    expect([...(await read(pairs.sources)), ...(await read(pairs.targets))]).toEqual([0, 4]);
  });
  test("gives existing edges the sign −1", async () => {
    const S = { numRows: 3, numCols: 3, rowPtr: i32(0, 1, 2, 2), colIdx: i32(2, 0), values: null };
    expect(await result(3, (out) => on.pairSigns(out, triangle, S))).toEqual([1, -1, 1]);
  });
  test("turns active pairs into a symmetric matrix, or a directed one", async () => {
    const signs = f32(1, -1, 1);
    const weights = f32(0.5, 0.25, 0.125);
    const both = on.activeMatrix(triangle, signs, weights, 0.125);
    expect(await read(both.rowPtr)).toEqual([0, 2, 3, 4]);
    expect(await read(both.colIdx)).toEqual([1, 2, 0, 0]);
    expect(await read(both.values!)).toEqual([0.5, -0.25, 0.5, -0.25]);
    const one = on.activeMatrix({ ...triangle, directed: true }, signs, weights, 0.125);
    expect(await read(one.rowPtr)).toEqual([0, 2, 2, 2]);
    expect(await read(one.values!)).toEqual([0.5, -0.25]);
  });
  test("refuses buffers that are not its own", () => {
    expect(() => on.copy(f32(0), { dtype: "f32", length: 1 })).toThrow(
      "copy: X is not a buffer of the reference backend",
    );
    expect(() => createReference().free(f32(0))).toThrow("free: buffer belongs to another reference backend");
  });
});

describe("the reference, whole rows", () => {
  test("transposes a 2 × 3 matrix", async () => {
    const X = f32(1, 2, 3, 4, 5, 6);
    expect(await result(6, (out) => on.transpose(out, X, 2, 3))).toEqual([1, 4, 2, 5, 3, 6]);
  });
  test("keeps the two largest entries of each row in the order of their columns", async () => {
    const X = f32(0.5, 0.3, 0, 0.4, 0.4, 0, 0.4, 0.4); // the second row has a tie
    const columns = on.alloc("i32", 4);
    const values = on.alloc("f32", 4);
    on.topKRows({ columns, values, X, rows: 2, cols: 4, k: 2 });
    expect(await read(columns)).toEqual([0, 3, 0, 2]);
    expect(await read(values)).toEqual([0.5, 0.4, 0.4, 0.4]);
  });
});
