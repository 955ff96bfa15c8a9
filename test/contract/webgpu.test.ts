import { describe, test } from "vitest";
import { createWebGpu } from "../../src/backend/webgpu/webgpu.ts";
import { swiftShader } from "../support/swiftshader.ts";
import { backendSuite } from "./backend-suite.ts";

const device = swiftShader();
if ("reason" in device) {
  describe("webgpu backend", () => {
    test.skip(`passes the kernel suite (skipped: ${device.reason})`, () => {});
  });
} else {
  backendSuite("webgpu, with subgroups", () => createWebGpu());
  backendSuite("webgpu, without subgroups", () => createWebGpu({ subgroups: false }));
}
