import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { float16 } from "../../core/float16.ts";
import { checkFeatures, checkHalves, encodeFeatures } from "./feature-encoding.ts";

const place = { numFeatures: 2, type: "f16", firstNode: 10, where: "x" } as const;

describe("encodeFeatures", () => {
  test("keeps int8 as multiples of a 127th of the row's largest magnitude", () => {
    const { features, scales } = encodeFeatures(Float32Array.of(1.27, -0.5, 0, 0, -254, 254), 2, "i8");
    expect([...features]).toEqual([127, -50, 0, 0, -127, 127]);
    expect([...scales!].map((scale) => Number(scale.toFixed(6)))).toEqual([0.01, 0, 2]);
  });
  test("loses at most half a step of int8 and half a unit of float16, on any rows", () => {
    const float = fc.float({ min: -1000, max: 1000, noNaN: true });
    fc.assert(
      fc.property(fc.array(float, { minLength: 4, maxLength: 4 }), (values) => {
        const rows = Float32Array.from(values);
        const { features: steps, scales } = encodeFeatures(rows, 4, "i8");
        const { features: halves } = encodeFeatures(rows, 4, "f16");
        for (const [k, value] of rows.entries()) {
          expect(Math.abs(steps[k] * scales![0] - value)).toBeLessThanOrEqual(0.501 * scales![0] + 2 ** -100);
          const unit = Math.max(2 ** -24, 2 ** (Math.floor(Math.log2(Math.abs(value))) - 10));
          expect(Math.abs(float16(halves[k]) - value)).toBeLessThanOrEqual(unit / 2);
        }
      }),
    );
  });
  test("leaves float32 as it is", () => {
    const rows = Float32Array.of(1e30, -0.1);
    expect(encodeFeatures(rows, 2, "f32").features).toBe(rows);
  });
});

describe("checkFeatures", () => {
  test("names the node and the feature that cannot be kept", () => {
    expect(() => checkFeatures(Float32Array.of(0, 0, 0, 70_000), place)).toThrow(
      "x: feature 1 of node 11 is 70000, more than float16 holds; use --features f32",
    );
    expect(() => checkFeatures(Float32Array.of(Number.NaN, 0), { ...place, type: "f32" })).toThrow(
      "x: feature 0 of node 10 is NaN, must be finite",
    );
    expect(() => checkHalves(Uint16Array.of(0x3c00, 0xfc00), place)).toThrow(
      "x: feature 1 of node 10 is -Infinity, must be finite",
    );
    checkFeatures(Float32Array.of(65_504, -65_504), place);
  });
});
