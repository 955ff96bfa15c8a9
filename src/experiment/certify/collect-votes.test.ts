import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { attackCase } from "../../../test/support/attack-case.ts";
import { testGpu } from "../../../test/support/test-gpu.ts";
import type { Backend } from "../../backend/backend.ts";
import { createWasm } from "../../backend/wasm/wasm.ts";
import { createWebGpu } from "../../backend/webgpu/webgpu.ts";
import { noNoise } from "../../graph/noise/noise.ts";
import type { Session } from "../session.ts";
import { collectVotes } from "./collect-votes.ts";

const found = testGpu();
const onGpu = "reason" in found ? test.skip : test;
const why = "reason" in found ? ` (skipped: ${found.reason})` : "";
const folder = mkdtempSync(join(tmpdir(), "rgnn-votes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const noise = { edges: { add: 0.02, delete: 0.4 }, features: noNoise };

/** Counts the votes of a small GCN as a session on this backend does. */
async function counter(backend: Backend) {
  const { graph, view, model } = await attackCase(backend, 4, { numNodes: 40, density: 0.1 });
  const session = { graph, view, threads: 1 } as unknown as Session;
  return async (bounding: number, file?: string) => {
    const task = { models: [{ kind: "gcn", model }], noise, noiseSeed: 2, samples: { choosing: 5, bounding } };
    const { votes } = await collectVotes(session, { ...task, ...(file !== undefined && { file }) });
    return [...votes[0].bounding.counts];
  };
}

describe("votes in a file", () => {
  onGpu(`go on to the same result on a GPU, and are not mixed with those of the CPU${why}`, async () => {
    const gpu = await createWebGpu();
    const cpu = await createWasm({ threads: 1 });
    const onTheGpu = await counter(gpu);
    const onTheCpu = await counter(cpu);
    const file = join(folder, "gpu.safetensors");
    await onTheGpu(30, file);
    const resumed = await onTheGpu(70, file);
    expect(resumed).toEqual(await onTheGpu(70));
    expect(await onTheCpu(70, file)).toEqual(resumed); // nothing is left to count, so they are only read
    await expect(onTheCpu(80, file)).rejects.toThrow("holds votes on graphs that were drawn on the GPU");
    const other = join(folder, "cpu.safetensors");
    await onTheCpu(30, other);
    await expect(onTheGpu(40, other)).rejects.toThrow("holds votes on graphs that were drawn on the CPU");
    await gpu.close();
    await cpu.close();
  });
  onGpu(`are not mixed with those of models in another precision${why}`, async () => {
    const single = await createWebGpu();
    const half = await createWebGpu({ precision: "half" });
    const file = join(folder, "half.safetensors");
    const inHalves = await counter(half);
    await inHalves(30, file);
    const goOn = (await counter(single))(40, file);
    await expect(goOn).rejects.toThrow("holds votes of models in half precision; go on with the --precision");
    expect(await inHalves(40, file)).toEqual(await inHalves(40));
    await single.close();
    await half.close();
  });
});
