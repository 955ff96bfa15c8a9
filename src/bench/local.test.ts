import { describe, expect, test } from "vitest";
import { generateShape } from "../graph/generate-shape.ts";
import { scaleShape, shapeNamed } from "../graph/shapes.ts";
import { gcnDefaults } from "../nn/models/gcn.ts";
import { cpuDevice } from "./bench-device.ts";
import { type LocalCase, timeLocalCase } from "./local.ts";

const small: LocalCase = {
  epochCase: {
    name: "small",
    graph: () => generateShape(scaleShape(shapeNamed("cora_ml"), 0.1)),
    config: { ...gcnDefaults, hidden: [4] },
  },
  targets: { patched: 10, whole: 1 },
  wholeEpochs: 2,
};

describe("the benchmark of local attacks", () => {
  test("measures each preset on one thread and on several, and checks what it measures", async () => {
    const results = await timeLocalCase(cpuDevice(2), small, 2);
    expect(results.map(({ preset, threads, targets }) => [preset, threads, targets])).toEqual([
      ["strong", 1, 10],
      ["strong", 2, 20],
      ["paper", 1, 10],
      ["paper", 2, 20],
    ]);
    for (const { targetsPerSecond, hoursForAllNodes, secondsPerEpoch, check } of results) {
      expect(targetsPerSecond).toBeGreaterThan(0);
      expect(hoursForAllNodes).toBeCloseTo(281 / targetsPerSecond / 3600, 10);
      expect(Math.min(secondsPerEpoch.patched, secondsPerEpoch.whole)).toBeGreaterThan(0);
      expect(Number(check.replace("logits differ by ", ""))).toBeLessThan(1e-4);
    }
  });
});
