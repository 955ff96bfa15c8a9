import { describe, expect, test } from "vitest";
import { fakeDevice } from "../../../../test/support/fake-gpu.ts";
import { Gpu } from "./gpu.ts";
import type { NamedBuffers, NamedNumbers } from "./pipelines.ts";

/** Launches `clip` on a device on which nothing runs, which is not even asked: names are checked first. */
function clip(bind: NamedBuffers, params: NamedNumbers): void {
  const { device } = fakeDevice();
  const gpu = new Gpu({ device, description: "fake", subgroupSize: 1, hasMatrixUnits: false });
  gpu.launch({ shader: "clip", constants: { T: "f32" }, bind, params, threads: 1 });
}

const out = null;
const X = null;
const params = { length: 1, low: 0, high: 1 };

describe("a launch is refused, by the name of its kernel and of", () => {
  test("an argument that is missing", () => {
    expect(() => clip({ out }, params)).toThrow("clip T=f32: argument X is missing");
  });
  test("an argument that the kernel does not have", () => {
    expect(() => clip({ out, X, Y: null }, params)).toThrow("clip T=f32: no argument is called Y; they are out, X");
  });
  test("a parameter that is missing", () => {
    expect(() => clip({ out, X }, { length: 1, low: 0 })).toThrow("clip T=f32: parameter high is missing");
  });
  test("a parameter that the kernel does not have", () => {
    expect(() => clip({ out, X }, { ...params, middle: 0.5 })).toThrow(
      "clip T=f32: no parameter is called middle; they are length, low, high",
    );
  });
});
