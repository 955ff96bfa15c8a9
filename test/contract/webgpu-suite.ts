import { describe, test } from "vitest";
import type { Backend } from "../../src/backend/backend.ts";
import { testGpu } from "../support/test-gpu.ts";
import { backendSuite } from "./backend-suite.ts";
import type { SuiteOptions } from "./contract.ts";
import { onlyCpu } from "./cpu-only.ts";

/** The kernel suite on a GPU; a file for each way, so that they run side by side. */
export function webgpuSuite(
  name: string,
  create: () => Promise<Backend>,
  suite: Pick<SuiteOptions, "only" | "tolerance"> = {},
): void {
  const device = testGpu();
  if ("reason" in device) {
    describe(`${name} backend`, () => {
      test.skip(`passes the kernel suite (skipped: ${device.reason})`, () => {});
    });
  } else {
    backendSuite(name, create, { ...suite, skip: suite.only ? [] : onlyCpu });
  }
}
