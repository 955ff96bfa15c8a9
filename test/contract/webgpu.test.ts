import { webgpuSuite } from "./webgpu-suite.ts";

webgpuSuite("webgpu, with subgroups", {});
