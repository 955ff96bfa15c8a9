import type { Backend } from "../backend/backend.ts";
import { createReference } from "../backend/reference/reference.ts";
import { pairIndex } from "../graph/pair-index.ts";
import type { MakeCase } from "./bench-case.ts";
import { differs, spread } from "./sample.ts";
import { uniform } from "./workload.ts";

const FLOOR = 1e-7;
const KEY = { lo: 11, hi: 12 };

/** Draws a stratified block. Its pairs must ascend; a smaller block is compared with the reference. */
export const samplePairsCase: MakeCase = ({ shape, backend }) => {
  const pairs = newBlock(backend, shape.numNodes, shape.block);
  return {
    kernel: "samplePairs",
    need: { bound: "words", amount: shape.block },
    buffers: [pairs.sources, pairs.targets],
    run: () => backend.samplePairs(pairs, "stratified", KEY),
    async check() {
      const sources = await backend.read(pairs.sources);
      const targets = await backend.read(pairs.targets);
      for (let e = 1; e < shape.block; e++) {
        const ascends = sources[e] > sources[e - 1] || (sources[e] === sources[e - 1] && targets[e] > targets[e - 1]);
        if (!ascends) return `pair ${e} does not ascend`;
      }
      for (const e of spread(1000, shape.block)) pairIndex(shape.numNodes, false, sources[e], targets[e]);
      return sameAsReference(backend, shape.numNodes);
    },
  };
};

async function sameAsReference(backend: Backend, numNodes: number): Promise<string | null> {
  const drawn = [];
  for (const on of [backend, createReference()]) {
    const pairs = newBlock(on, numNodes, 10_000);
    on.samplePairs(pairs, "stratified", KEY);
    drawn.push([...(await on.read(pairs.sources)), ...(await on.read(pairs.targets))]);
    for (const buffer of [pairs.sources, pairs.targets]) on.free(buffer);
  }
  return differs(drawn[0], drawn[1]);
}

function newBlock(on: Backend, numNodes: number, length: number) {
  const sources = on.alloc("i32", length);
  const targets = on.alloc("i32", length);
  return { numNodes, directed: false, length, sources, targets };
}

/** Weights around 0; the budget is a thousandth of them. Their sum must be the budget, their shift the same. */
export const projectionCase: MakeCase = ({ shape, backend }) => {
  const before = uniform(shape.block, 5);
  const budget = shape.block / 1000;
  const x = backend.upload(before);
  const out = backend.alloc("f32", 2);
  return {
    kernel: "projectOntoBudget",
    need: { bound: "stream", amount: 8 * shape.block },
    buffers: [x, out],
    reset: () => backend.write(x, before),
    run: () => backend.projectOntoBudget(out, x, budget, FLOOR),
    async check() {
      const after = await backend.read(x);
      const result = await backend.read(out);
      const lambda = result[1];
      const expected = Float64Array.from(before.subarray(0, 10_000), (value) =>
        Math.min(Math.max(value - lambda, FLOOR), 1 - FLOOR),
      );
      let sum = 0;
      for (const value of after) if (value > 1.01 * FLOOR) sum += value;
      if (Math.abs(sum - budget) > 1e-4 * budget) return `the sum is ${sum} instead of ${budget}`;
      return differs(after, expected);
    },
  };
};

/** The largest thousandth. Values must descend, and all values larger than the last one chosen must be chosen. */
export const topKCase: MakeCase = ({ shape, backend }) => {
  const values = uniform(shape.block, 6);
  const k = shape.block / 1000;
  const x = backend.upload(values);
  const out = backend.alloc("i32", k);
  return {
    kernel: "topK",
    need: { bound: "stream", amount: 4 * shape.block },
    buffers: [x, out],
    run: () => backend.topK(out, x),
    async check() {
      const top = (await backend.read(out)) as Int32Array;
      for (let t = 1; t < k; t++) {
        const a = values[top[t - 1]];
        const b = values[top[t]];
        if (a < b || (a === b && top[t - 1] >= top[t])) return `place ${t} is out of order`;
      }
      const last = values[top[k - 1]];
      const above = values.reduce((count, value) => count + Number(value > last), 0);
      const chosen = top.reduce((count, e) => count + Number(values[e] > last), 0);
      return above === chosen
        ? null
        : `${above} values are larger than the last one chosen, of which ${chosen} are there`;
    },
  };
};
