import { describe, expect, test } from "vitest";
import { testGpu } from "../../test/support/test-gpu.ts";
import { UserError } from "../core/errors.ts";
import { cpuDevice, gpuDevice } from "./bench-device.ts";
import { arxivCase, casesOf, coraCase, plainArxivCase, productsCase } from "./epoch-case.ts";

const found = testGpu();
const onGpu = "reason" in found ? test.skip : test;
const why = "reason" in found ? ` (skipped: ${found.reason})` : "";

describe("a device of a benchmark", () => {
  test("has a backend of its own for each case, and no clock for kernels on the CPU", async () => {
    const device = cpuDevice(1);
    const first = await device.open();
    const second = await device.open();
    first.backend.alloc("f32", 1000);
    expect(second.backend.memory.current).toBe(0);
    expect(first.kernelTimes).toBeUndefined();
    for (const { backend } of [first, second]) await backend.close();
  });
  onGpu(`clocks the kernels of a run on a GPU${why}`, async () => {
    const { backend, kernelTimes } = await (await gpuDevice()).open();
    const X = backend.upload(new Float32Array(1000));
    const times = await kernelTimes!(async () => {
      backend.fill(X, 3);
      await backend.read(X);
    });
    expect(times.map(({ kernel, launches }) => [kernel, launches])).toEqual([["fill T=vec4u", 1]]);
    await backend.close();
  });
});

describe("the cases of a benchmark", () => {
  const cases = [coraCase, arxivCase, plainArxivCase, productsCase].map((epochCase) => ({ epochCase }));
  const chosen = (shape?: string) => casesOf(cases, shape).map(({ epochCase }) => epochCase);
  test("leave out what few machines hold, unless it is asked for", () => {
    expect(chosen().map(({ name }) => name)).toEqual(["cora_ml", "arxiv", "arxiv, plain"]);
    expect(chosen("products")).toEqual([productsCase]);
  });
  test("are found by their shape, whatever the network", () => {
    expect(chosen("arxiv")).toEqual([arxivCase, plainArxivCase]);
    expect(chosen("arxiv, plain")).toEqual([plainArxivCase]);
  });
  test("refuse an unknown shape and list the known ones", () => {
    expect(() => chosen("citeseer")).toThrow(UserError);
    expect(() => chosen("citeseer")).toThrow('bench: unknown shape "citeseer"; known are cora_ml, arxiv, products');
  });
});
