import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { swiftShader } from "../../../test/support/swiftshader.ts";
import { MemoryError } from "../../core/errors.ts";
import { openDevice } from "./device.ts";
import { Gpu } from "./gpu.ts";
import { backendOn, createWebGpu } from "./webgpu.ts";

const found = swiftShader();
const onGpu = "reason" in found ? test.skip : test;
const why = "reason" in found ? ` (skipped: ${found.reason})` : "";

describe("createWebGpu", () => {
  onGpu(`says what to install where there is no adapter${why}`, () => {
    const script = `import { createWebGpu } from ${JSON.stringify(fileURLToPath(new URL("./webgpu.ts", import.meta.url)))};
      await createWebGpu().then(() => console.log("found one"), (error) => console.log(error.name, error.message));`;
    const env = { ...process.env, VK_ICD_FILENAMES: "/nowhere.json", VK_DRIVER_FILES: "/nowhere.json" };
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { env, encoding: "utf8" });
    expect(stdout).toMatch(/^UserError createWebGpu: no adapter found; install a Vulkan.*or use --device cpu/);
  });
  onGpu(`refuses a buffer that the device cannot hold and says how much there may be${why}`, async () => {
    const backend = await createWebGpu();
    expect(() => backend.alloc("f32", 2 ** 40)).toThrow(MemoryError);
    expect(() => backend.alloc("f32", 2 ** 40)).toThrow(
      /4194304.0 MiB\) asked for, the device allows .* MiB per buffer/,
    );
    await backend.close();
  });
});

describe("a device that is lost", () => {
  onGpu(`is named by the next launch and the next read${why}`, async () => {
    const gpu = new Gpu(await openDevice({}));
    const backend = backendOn(gpu);
    const buffer = backend.upload(Float32Array.of(1, 2));
    gpu.device.destroy();
    await gpu.device.lost;
    expect(() => backend.fill(buffer, 0)).toThrow(/the device was lost \(destroyed\)/);
    await expect(backend.read(buffer)).rejects.toThrow(/the device was lost/);
  });
});

describe("a pass that is run again", () => {
  onGpu(`takes no more memory from the device${why}`, async () => {
    const gpu = new Gpu(await openDevice({}));
    const backend = backendOn(gpu);
    const X = backend.upload(new Float32Array(5000).fill(1));
    const step = () => {
      const [Y, sum] = [backend.alloc("f32", 5000), backend.alloc("f32", 1)];
      backend.affine(Y, 2, X, 0, null, 1);
      backend.dot(sum, Y, null);
      for (const buffer of [Y, sum]) backend.free(buffer);
    };
    step();
    const { reserved } = gpu.heap;
    for (let i = 0; i < 5; i++) step();
    expect(gpu.heap.reserved).toBe(reserved);
    await backend.close();
  });
});
