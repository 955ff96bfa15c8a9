import { describe, expect, test, vi } from "vitest";
import { testGpu } from "../../test/support/test-gpu.ts";
import { generateShape } from "../graph/generate-shape.ts";
import { scaleShape, shapeNamed } from "../graph/shapes.ts";
import { gcnDefaults } from "../nn/models/gcn.ts";
import { cpuDevice, gpuDevice } from "./bench-device.ts";
import { measureVotes, type VoteCase } from "./certify.ts";

const found = testGpu();
const onGpu = "reason" in found ? test.skip : test;
const why = "reason" in found ? ` (skipped: ${found.reason})` : "";

const small: VoteCase = {
  epochCase: {
    name: "small",
    graph: () => generateShape(scaleShape(shapeNamed("cora_ml"), 0.01)),
    config: gcnDefaults,
  },
  model: "gcn",
  options: { hidden: [4] },
  samples: 40,
  batch: 64,
};
const ceilings = { threads: 1, stream: 1e9, gather: 1e9, cached: 1e9, shared: 1e9, flops: 1e9, words: 1e9 };

describe("the benchmark of votes", () => {
  test("measures one thread and several, and checks what it measures", async () => {
    const device = cpuDevice(2);
    const open = vi.spyOn(device, "open");
    const rates = await measureVotes(device, small, 2, ceilings);
    expect(open.mock.calls).toEqual([[1]]); // a vote has one thread: others count on other graphs
    expect(rates.map(({ threads, check }) => [threads, check])).toEqual([
      [1, "28 of 28 votes as predicted, graphs drawn on the host"],
      [2, "28 of 28 votes as predicted, graphs drawn on the host"],
    ]);
    for (const { samplesPerSecond, ratio } of rates) expect(Math.min(samplesPerSecond, ratio)).toBeGreaterThan(0);
  });
  onGpu(`measures a GPU with the graphs that it draws${why}`, async () => {
    const [rate] = await measureVotes(await gpuDevice(), small, 1, ceilings);
    expect(rate.check).toBe("28 of 28 votes as predicted, graphs drawn on the device");
    expect(rate.samplesPerSecond).toBeGreaterThan(1);
    expect(rate.kernels!.map(({ kernel }) => kernel)).toContain("draw-noisy SCATTER=1");
  });
});
