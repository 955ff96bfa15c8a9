import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { randomGraph } from "../../../test/support/any-graph.ts";
import { fakeDevice, fakeGpu } from "../../../test/support/fake-gpu.ts";
import { testGpu } from "../../../test/support/test-gpu.ts";
import { prbcd } from "../../attack/prbcd.ts";
import { DeviceError, MemoryError, UserError } from "../../core/errors.ts";
import { Rng } from "../../core/rng.ts";
import { Gcn, gcnDefaults } from "../../nn/models/gcn.ts";
import { toDevice } from "../../tensor/index.ts";
import { openDevice } from "./device/device.ts";
import { Gpu } from "./device/gpu.ts";
import { backendOn, createWebGpu } from "./webgpu.ts";

const found = testGpu();
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
  test("says how to add the package where it is missing", () => {
    const script = `import { registerHooks } from "node:module";
      registerHooks({ resolve(name, context, next) {
        if (name === "webgpu") throw new Error("Cannot find package 'webgpu'");
        return next(name, context);
      } });
      const { createWebGpu } = await import(${JSON.stringify(fileURLToPath(new URL("./webgpu.ts", import.meta.url)))});
      await createWebGpu().catch((error) => console.log(error.name, error.message));`;
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    expect(stdout).toBe(
      `UserError createWebGpu: the optional package "webgpu" could not be loaded (Cannot find package 'webgpu'); ` +
        "add it with npm install webgpu\n",
    );
  });
  test("refuses an adapter whose limits are too small, and says which", async () => {
    const small = fakeGpu({ maxStorageBuffersPerShaderStage: 4 });
    await expect(openDevice({}, small)).rejects.toThrow(UserError);
    await expect(openDevice({}, small)).rejects.toThrow(
      "kernels need 8 storage buffers and 256 invocations per workgroup, the adapter allows 4 and 256; use --device cpu",
    );
  });
  test("says so where the machine offers no adapter", async () => {
    await expect(openDevice({}, fakeGpu(null))).rejects.toThrow("createWebGpu: no adapter found; install a Vulkan");
  });
  onGpu(`takes the GPU that has a name, and lists those there are where none has it${why}`, async () => {
    const refused: Error = await openDevice({ adapter: "Voodoo" }).then(
      () => expect.fail(),
      (error) => error,
    );
    expect(refused).toBeInstanceOf(UserError);
    expect(refused.message).toMatch(/^createWebGpu: no GPU is called "Voodoo"; there are ".+"/);
    const name = /there are "([^"]+)"/.exec(refused.message)![1];
    const [named, first] = [await openDevice({ adapter: name }), await openDevice({})];
    expect(named.description).toBe(first.description);
    for (const { device } of [named, first]) device.destroy();
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv("RGNN_GPU", "Voodoo");
    await expect(openDevice({})).rejects.toThrow(refused.message);
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
    expect(() => backend.fill(buffer, 0)).toThrow(/the device was lost \(destroyed.*what was stored before is kept/);
    await expect(backend.read(buffer)).rejects.toThrow(DeviceError);
  });
  onGpu(`ends an attack with the same words, and leaves graph and model to the next device${why}`, async () => {
    const graph = randomGraph(40, 0.1, 1, { numFeatures: 8 });
    const attack = async (whenSeen: (gpu: Gpu, epoch: number) => void) => {
      const gpu = new Gpu(await openDevice({}));
      const backend = backendOn(gpu);
      const sizes = { features: graph.numFeatures, classes: graph.numClasses };
      const model = new Gcn(backend, sizes, { ...gcnDefaults, hidden: [4] }, new Rng(0));
      const progress = { update: (epoch: number) => whenSeen(gpu, epoch) };
      const task = { nodes: [0, 1, 2, 3], budget: 3, rng: new Rng(1), progress };
      return prbcd(model, toDevice(backend, graph), task, { blockSize: 100, epochs: 4, samples: 1 });
    };
    await expect(attack((gpu, epoch) => void (epoch === 2 && gpu.device.destroy()))).rejects.toThrow(DeviceError);
    expect((await attack(() => {})).perturbation.flips.sources.length).toBeLessThanOrEqual(3);
  });
});

describe("a device without memory left", () => {
  test("is named by the next launch as a MemoryError that says how much was taken", () => {
    const { device, report } = fakeDevice();
    const backend = backendOn(new Gpu({ device, description: "fake", subgroupSize: 1, hasMatrixUnits: false }));
    const buffer = backend.alloc("f32", 2 ** 20);
    report("GPUOutOfMemoryError", "no more memory");
    expect(() => backend.fill(buffer, 0)).toThrow(MemoryError);
    expect(() => backend.fill(buffer, 0)).toThrow(
      /^webgpu: the device is out of memory with [0-9.]+ MiB taken; use a smaller block or graph$/,
    );
  });
});

describe("kernel times", () => {
  onGpu(`count the launches of each kernel and measure them by the device's clock${why}`, async () => {
    const gpu = new Gpu(await openDevice({}));
    const backend = backendOn(gpu);
    const X = backend.upload(new Float32Array(100_000));
    backend.fill(X, 1); // not measured
    const times = gpu.measureKernels();
    for (let i = 0; i < 70; i++) backend.fill(X, i); // more than are sent at once
    backend.affine({ out: X, a: 2, A: X, c: 1 });
    expect((await backend.read(X))[0]).toBe(139);
    const taken = await times.take();
    expect(taken.map(({ kernel, launches }) => `${kernel} ${launches}`).sort()).toEqual([
      "affine HAS_B=0 T=vec4f 1",
      "fill T=vec4u 70",
    ]);
    for (const { milliseconds } of taken) expect(milliseconds).toBeGreaterThan(0);
    expect(await times.take()).toEqual([]);
    await backend.close();
  });
});

describe("a pass that is run again", () => {
  onGpu(`takes no more memory from the device${why}`, async () => {
    const gpu = new Gpu(await openDevice({}));
    const backend = backendOn(gpu);
    const X = backend.upload(new Float32Array(5000).fill(1));
    const step = () => {
      const Y = backend.alloc("f32", 5000);
      const sum = backend.alloc("f32", 1);
      backend.affine({ out: Y, a: 2, A: X, c: 1 });
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

describe("the transpose of a matrix, kept for the next product", () => {
  onGpu(`is made anew once something was written to the matrix${why}`, async () => {
    const gpu = new Gpu(await openDevice({}));
    const backend = backendOn(gpu);
    const m = 256;
    const n = 64;
    const k = 128;
    const A = backend.alloc("f32", m * k);
    const W = backend.alloc("f32", n * k);
    const out = backend.alloc("f32", m * n);
    backend.fill(A, 1);
    const product = async () => {
      backend.matmul(out, A, W, { m, n, k, transB: true });
      const values = await backend.read(out);
      return [values[0], values[m * n - 1]];
    };
    backend.fill(W, 0.5);
    expect(await product()).toEqual([64, 64]);
    const { reserved } = gpu.heap;
    backend.fill(W, 0.25); // by a kernel
    expect(await product()).toEqual([32, 32]);
    backend.write(W, new Float32Array(n * k).fill(2)); // by the host
    expect(await product()).toEqual([256, 256]);
    expect(gpu.heap.reserved).toBe(reserved);
    await backend.close();
  });
});

describe("rows by an index that the device has made", () => {
  onGpu(`may stand behind the last entry: they read memory that is there${why}`, async () => {
    const backend = await createWebGpu();
    const out = backend.alloc("f32", 6);
    const index = backend.upload(Int32Array.from([1, 2 ** 31 - 1, -1]));
    backend.gatherRows(out, backend.upload(Float32Array.from([1, 2, 3, 4])), index, 2);
    expect([...(await backend.read(out))]).toEqual([3, 4, 3, 4, 3, 4]);
    await backend.close();
  });
});
