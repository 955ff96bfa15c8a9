import { describe, expect, test } from "vitest";
import type { Backend } from "../src/backend/backend.ts";
import { createReference } from "../src/backend/reference/reference.ts";
import { createWasm } from "../src/backend/wasm/wasm.ts";
import { createWebGpu } from "../src/backend/webgpu/webgpu.ts";
import { Voters } from "../src/certify/voters.ts";
import { Rng } from "../src/core/rng.ts";
import { createSoftMedianGdc, softMedianGdcDefaults } from "../src/defense/robust-gdc.ts";
import { noNoise } from "../src/graph/noise/noise.ts";
import { attackCase } from "./support/attack-case.ts";
import { swiftShader } from "./support/swiftshader.ts";

const device = swiftShader();
const onGpu = "reason" in device ? test.skip : test;
const why = "reason" in device ? ` (skipped: ${device.reason})` : "";

/** The votes of a GCN and of Soft Median GDC on a few noisy graphs. */
async function votes(backend: Backend): Promise<number[][]> {
  const { graph, view, model } = await attackCase(backend, 4, { numNodes: 40, density: 0.1 });
  const sizes = { features: graph.numFeatures, classes: graph.numClasses };
  const gdc = createSoftMedianGdc(backend, sizes, { ...softMedianGdcDefaults, hidden: [8], k: 10 }, new Rng(4));
  const noise = { edges: { add: 0.05, delete: 0.4 }, features: noNoise };
  const counted = await new Voters([model, gdc], view, noise, 3).count(0, 12);
  await backend.close();
  return counted.map(({ counts }) => [...counts]);
}

describe("votes on noisy graphs", () => {
  test("are the same on the CPU as on the reference", async () => {
    expect(await votes(await createWasm({ threads: 2 }))).toEqual(await votes(createReference()));
  });
  onGpu(`are the same on a GPU as on the reference${why}`, async () => {
    expect(await votes(await createWebGpu())).toEqual(await votes(createReference()));
  });
});
