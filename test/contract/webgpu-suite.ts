import { describe, test } from "vitest";
import { createWebGpu } from "../../src/backend/webgpu/webgpu.ts";
import { swiftShader } from "../support/swiftshader.ts";
import { backendSuite } from "./backend-suite.ts";
import type { SuiteOptions } from "./contract.ts";
import { onlyCpu } from "./cpu-only.ts";

/** The kernel suite on a GPU; a file for each way, so that they run side by side. */
export function webgpuSuite(
  name: string,
  options: Parameters<typeof createWebGpu>[0],
  suite: Pick<SuiteOptions, "only" | "tolerance"> = {},
): void {
  const device = swiftShader();
  if ("reason" in device) {
    describe(`${name} backend`, () => {
      test.skip(`passes the kernel suite (skipped: ${device.reason})`, () => {});
    });
  } else {
    backendSuite(name, () => createWebGpu(options), { ...suite, skip: suite.only ? [] : onlyCpu });
  }
}
