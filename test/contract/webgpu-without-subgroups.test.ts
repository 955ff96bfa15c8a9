import { webgpuSuite } from "./webgpu-suite.ts";

webgpuSuite("webgpu, without subgroups", { subgroups: false });
