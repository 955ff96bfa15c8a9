import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Rng } from "../../../core/rng.ts";
import type { Backend, Buffer } from "../../backend.ts";
import { createWasm } from "../wasm.ts";

/** Nodes of a small graph: one with more entries than a burst touches, some without any, the others with one to nine. */
const NODES = 160;
const degrees = Array.from({ length: NODES }, (_, i) => (i === 70 ? 900 : i % 10));
const rng = new Rng(1);
const ends = degrees.map((degree) => Int32Array.from({ length: degree }, () => rng.integer(NODES)).sort());
const entries = degrees.reduce((sum, degree) => sum + degree, 0);
const values = normal(entries);

function normal(length: number): Float32Array {
  return Float32Array.from({ length }, () => rng.normal());
}

/** The graph with `step` − 1 lone nodes behind each node, and what the kernels make of it, the lone nodes left out. */
async function results(backend: Backend, X: Float32Array, cols: number, step: number): Promise<Float32Array[]> {
  const numNodes = NODES * step;
  const rowPtr = new Int32Array(numNodes + 1);
  for (let i = 0; i < numNodes; i++) rowPtr[i + 1] = rowPtr[i] + (i % step === 0 ? degrees[i / step] : 0);
  const sources = Int32Array.from(ends.flatMap((row, i) => Array.from(row, () => i * step)));
  const far = new Float32Array(numNodes * cols);
  for (let i = 0; i < NODES; i++) far.set(X.subarray(i * cols, (i + 1) * cols), i * step * cols);
  const x = backend.upload(far);
  const colIdx = backend.upload(Int32Array.from(ends.flatMap((row) => Array.from(row, (j) => j * step))));
  const size = { numRows: numNodes, numCols: numNodes, rowPtr: backend.upload(rowPtr), colIdx };
  const A = { ...size, values: null };
  const B = { ...size, values: backend.upload(values) };
  const Y = backend.alloc("f32", far.length);
  const dots = backend.alloc("f32", entries);
  const rows = async (buffer: Buffer) => {
    const all = (await backend.read(buffer)) as Float32Array;
    return Float32Array.from(X, (_, at) => all[Math.floor(at / cols) * step * cols + (at % cols)]);
  };
  const found: Float32Array[] = [];
  for (const S of [A, B]) {
    backend.spmm(Y, S, x, cols);
    found.push(await rows(Y));
  }
  backend.spmm(Y, A, x, cols, true);
  found.push(await rows(Y));
  const by = backend.upload(new Float32Array(numNodes).fill(0.7));
  backend.convolve({ out: Y, graph: { A, B }, X: x, cols, scale: { by, sides: "both" }, finish: { relu: true } });
  found.push(await rows(Y));
  const pairs = { numNodes, directed: true, length: entries, sources: backend.upload(sources), targets: colIdx };
  for (const symmetric of [false, true]) {
    backend.sddmm({ out: dots, pairs, P: x, Q: Y, cols, symmetric });
    found.push(((await backend.read(dots)) as Float32Array).slice());
  }
  for (const buffer of [x, colIdx, A.rowPtr, B.values, Y, dots, by, pairs.sources]) backend.free(buffer);
  return found;
}

describe.each([1, 2])("rows that no cache holds, on %i threads", (threads) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await createWasm({ threads });
  });
  afterAll(() => backend.close());

  test.each([16, 24, 32, 35, 40, 47, 64, 99, 128, 192])(
    "with %i columns give the same bits as the same rows close together",
    async (cols) => {
      const X = normal(NODES * cols);
      const step = Math.ceil(2 ** 24 / (4 * NODES * cols)) + 1; // above 16 MiB they are touched ahead
      const near = await results(backend, X, cols, 1);
      const far = await results(backend, X, cols, step);
      for (const [k, expected] of near.entries()) expect(far[k]).toEqual(expected);
    },
  );
});
