import { expect, test } from "vitest";
import { halvesEverywhere } from "../../../../test/support/halves-everywhere.ts";
import { testGpu } from "../../../../test/support/test-gpu.ts";
import { Rng } from "../../../core/rng.ts";
import { createWebGpu, type Precision } from "../webgpu.ts";

const found = testGpu();
const onGpu = "reason" in found ? test.skip : test;
const why = "reason" in found ? ` (skipped: ${found.reason})` : "";

const NODES = 30;
const COLS = 16;
const LENGTH = (NODES * (NODES - 1)) / 2;

/** Rows from 1e-24 to 1e5 in size, as gradients of saturated nodes and of others are; row 4 is 0. */
function unevenRows(rng: Rng): Float32Array {
  return Float32Array.from({ length: NODES * COLS }, (_, e) => {
    const row = Math.floor(e / COLS);
    return row === 4 ? 0 : rng.normal() * 10 ** (row - 24);
  });
}

/** Largest difference between a product and its value in doubles, as a share of the sizes of both rows. */
async function largestError(precision: Precision): Promise<number> {
  const backend = precision === "half" ? await halvesEverywhere() : await createWebGpu();
  const rng = new Rng(7);
  const P = unevenRows(rng);
  const Q = unevenRows(rng).reverse();
  const sources = Int32Array.from({ length: LENGTH }, () => 0);
  const targets = sources.slice();
  for (let i = 0, e = 0; i < NODES; i++) {
    for (let j = i + 1; j < NODES; j++, e++) {
      sources[e] = i;
      targets[e] = j;
    }
  }
  const pairs = {
    numNodes: NODES,
    directed: false,
    length: LENGTH,
    sources: backend.upload(sources),
    targets: backend.upload(targets),
  };
  const out = backend.alloc("f32", LENGTH);
  backend.sddmm({ out, pairs, P: backend.upload(P), Q: backend.upload(Q), cols: COLS });
  const products = await backend.read(out);
  await backend.close();
  const row = (X: Float32Array, i: number) => Array.from(X.subarray(i * COLS, (i + 1) * COLS));
  const size = (x: number[]) => Math.hypot(...x);
  let largest = 0;
  for (let e = 0; e < LENGTH; e++) {
    const p = row(P, sources[e]);
    const q = row(Q, targets[e]);
    const exact = p.reduce((sum, x, c) => sum + x * q[c], 0);
    const sizes = size(p) * size(q);
    if (sizes === 0) expect(products[e]).toBe(0);
    else if (sizes > 1e-30) largest = Math.max(largest, Math.abs(products[e] - exact) / sizes);
  }
  return largest;
}

onGpu(`rows as halves lose no small row beside a large one${why}`, async () => {
  expect(await largestError("single")).toBeLessThan(1e-6);
  const half = await largestError("half");
  expect(half).toBeGreaterThan(1e-5); // halves are really used
  expect(half).toBeLessThan(2 / 1024);
});
