import { afterAll, describe, expect, test } from "vitest";
import { Rng } from "../../../core/rng.ts";
import type { Backend, Buffer } from "../../backend.ts";
import { createWasm, startEngine } from "../wasm.ts";

const NODES = 1500;
const COLS = 100;
const backends = await Promise.all([1, 2, 8].map((threads) => createWasm({ threads })));
afterAll(() => Promise.all(backends.map((backend) => backend.close())));

const normal = (on: Backend, length: number, seed: number) => {
  const rng = new Rng(seed);
  return on.upload(Float32Array.from({ length }, () => rng.normal()));
};

/** A matrix with skewed rows: row i has about NODES / (i + 1) entries. */
function skewed(on: Backend) {
  const rowPtr = [0];
  const colIdx: number[] = [];
  for (let i = 0; i < NODES; i++) {
    for (let j = i % 7; j < NODES; j += i + 1) colIdx.push(j);
    rowPtr.push(colIdx.length);
  }
  const values = normal(on, colIdx.length, 3);
  const rows = on.upload(Int32Array.from(rowPtr));
  const cols = on.upload(Int32Array.from(colIdx));
  return { numRows: NODES, numCols: NODES, rowPtr: rows, colIdx: cols, values };
}

function block(on: Backend, length: number) {
  const sources = on.alloc("i32", length);
  const targets = on.alloc("i32", length);
  return { numNodes: 5000, directed: false, length, sources, targets };
}

/** Rule R1, kernel by kernel: large enough that every thread gets chunks. */
const WORK: Record<string, (on: Backend) => Buffer[]> = {
  matmul: (on) => {
    const out = on.alloc("f32", NODES * COLS);
    on.matmul(out, normal(on, NODES * 300, 1), normal(on, 300 * COLS, 2), { m: NODES, n: COLS, k: 300 });
    return [out];
  },
  "matmul with a long k": (on) => {
    const out = on.alloc("f32", 20 * COLS);
    const A = normal(on, 20_000 * 20, 1);
    const B = normal(on, 20_000 * COLS, 2);
    on.matmul(out, A, B, { m: 20, n: COLS, k: 20_000, transA: true });
    return [out];
  },
  spmm: (on) => {
    const out = on.alloc("f32", NODES * COLS);
    on.spmm(out, skewed(on), normal(on, NODES * COLS, 1), COLS);
    return [out];
  },
  reductions: (on) => {
    const x = normal(on, 500_000, 1);
    const sum = on.alloc("f32", 1);
    const sums = on.alloc("f32", 50);
    on.dot(sum, x, x);
    on.colDots(sums, x, x, 10_000, 50);
    return [sum, sums];
  },
  dropout: (on) => {
    const out = on.alloc("f32", 500_001);
    on.dropout(out, normal(on, 500_001, 1), 0.3, { lo: 1, hi: 2 });
    return [out];
  },
  sampling: (on) => {
    const first = block(on, 200_000);
    const next = block(on, 200_000);
    on.samplePairs(first, "stratified", { lo: 3, hi: 4 });
    const weights = on.alloc("f32", 200_000);
    on.resamplePairs({
      next,
      nextWeights: weights,
      pairs: first,
      weights: normal(on, 200_000, 5),
      floor: 1,
      draw: "uniform",
      key: { lo: 5, hi: 6 },
    });
    return [first.sources, first.targets, next.sources, next.targets, weights];
  },
  projection: (on) => {
    const x = normal(on, 300_000, 1);
    const out = on.alloc("f32", 2);
    on.projectOntoBudget(out, x, 1000, 1e-7);
    return [x, out];
  },
};

describe("threads", () => {
  test.each(Object.keys(WORK))("give the same bits of %s whether they are 1, 2 or 8", async (name) => {
    const runs = backends.map((on) => Promise.all(WORK[name](on).map((buffer) => on.read(buffer))));
    const [one, ...others] = await Promise.all(runs);
    for (const other of others) expect(other).toEqual(one);
  });
  test("agree on thousands of small jobs in a row", async () => {
    for (const on of backends) {
      const x = on.upload(new Float32Array(70_000));
      for (let i = 0; i < 2000; i++) on.affine({ out: x, a: 1, A: x, c: 1 });
      expect(new Set(await on.read(x))).toEqual(new Set([2000]));
    }
  });
});

describe("Pool", () => {
  test("turns a trap in any thread into an error, and works on afterwards", async () => {
    const { pool, heap } = await startEngine({ threads: 3 });
    const outside = heap.memory.buffer.byteLength;
    for (let round = 0; round < 20; round++) {
      expect(() => pool.run("fill", 1 << 20, 1 << 10, outside, 1)).toThrow(/memory access out of bounds/);
    }
    const buffer = heap.alloc("i32", 100_000);
    pool.run("fill", 100_000, 1000, buffer.address, 7);
    expect(new Set(heap.read(buffer))).toEqual(new Set([7]));
    await pool.close();
  });
  test("refuses work after it was closed", async () => {
    const on = await createWasm({ threads: 2 });
    const x = on.alloc("f32", 4);
    await on.close();
    await on.close();
    expect(() => on.fill(x, 1)).toThrow("fill: the backend was closed");
  });
  test("refuses a number of threads that is none", async () => {
    await expect(createWasm({ threads: 0 })).rejects.toThrow(
      "createWasm: threads must be a whole number from 1 to 256, got 0",
    );
  });
});
