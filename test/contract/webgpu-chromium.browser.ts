import { createWebGpu } from "../../src/backend/webgpu/webgpu.ts";
import { backendSuite } from "./backend-suite.ts";
import { onlyCpu } from "./cpu-only.ts";

backendSuite("webgpu in Chromium", () => createWebGpu(), { skip: onlyCpu });
