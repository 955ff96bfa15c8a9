import { describe, test } from "vitest";
import { createWebGpu } from "../../src/backend/webgpu/webgpu.ts";
import { swiftShader } from "../support/swiftshader.ts";
import { backendSuite } from "./backend-suite.ts";

/** Rows of many pairs stay in a cache of the CPU; a GPU takes one term after the other. */
const oneByOne = ["301 pairs among 67", "780 pairs among 40", "12000 pairs among 700"].map((block) => ({
  ...{ test: `pairTerms > sums products and ends of ${block} nodes, and turns the signs` },
  reason: "a GPU takes one term after the other",
}));
/** Push goes from node to node and has no use for lanes; the adaptive attack by push runs on the CPU. */
const onlyCpu = [
  "localPageRank > finds the rows of PageRank that push finds on a weighted graph",
  "localPageRank > chooses by the symmetric version",
  "localPageRank > fills up short rows with nothing",
  "localPageRank > keeps all nodes of a row",
  "localPageRank > approaches rows that sum to 1, weighed by the roots of the degrees",
  "sandwich > multiplies from both sides for any pairs, and on the diagonal",
].map((name) => ({ test: name, reason: "push runs on the CPU alone" }));
const MATRICES = [
  "rows of any length",
  "empty rows at both ends",
  "one very long row",
  "no entries",
  "no rows",
  "one row",
];
const twoSteps = MATRICES.map((matrix) => ({
  ...{ test: `spmmTransposed > multiplies by a matrix with ${matrix} and turns the result` },
  reason: "a GPU takes a product and a transposition",
}));
const copies = ["takes where the flag is 1", "leaves everything as it is where the flag is 0"].map((what) => ({
  ...{ test: `moveIf > ${what}` },
  reason: "a GPU copies, and only it knows whether",
}));
const skip = [...onlyCpu, ...oneByOne, ...twoSteps, ...copies];

/** The kernel suite on a GPU; a file for each way, so that they run side by side. */
export function webgpuSuite(name: string, options: Parameters<typeof createWebGpu>[0]): void {
  const device = swiftShader();
  if ("reason" in device) {
    describe(`${name} backend`, () => {
      test.skip(`passes the kernel suite (skipped: ${device.reason})`, () => {});
    });
  } else {
    backendSuite(name, () => createWebGpu(options), { skip });
  }
}
