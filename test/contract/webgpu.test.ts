import { createWebGpu } from "../../src/backend/webgpu/webgpu.ts";
import { webgpuSuite } from "./webgpu-suite.ts";

webgpuSuite("webgpu, with subgroups", () => createWebGpu());
