import { describe, expect, test } from "vitest";
import { attackCase } from "../../../test/support/attack-case.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { Rng } from "../../core/rng.ts";
import { tensor } from "../../tensor/index.ts";
import { sampleBlock } from "../block.ts";
import { FlipsOnDevice } from "./flips-on-device.ts";
import { FlipsOnHost } from "./flips-on-host.ts";
import type { GrowingFlips } from "./growing-flips.ts";

const STEPS = 6;

/** Lets flips grow by the same blocks and values, whichever way they are kept. */
async function grow(keptBy: "device" | "host") {
  const { view } = await attackCase(createReference(), 3, { numNodes: 12, density: 0.2 });
  const rng = new Rng(5);
  const from = { sources: Int32Array.of(4, 0), targets: Int32Array.of(7, 3) };
  const flips: GrowingFlips =
    keptBy === "device" ? new FlipsOnDevice(view, from) : new FlipsOnHost(view, from, undefined);
  const passed = [];
  for (let step = 0; step <= STEPS; step++) {
    const { backend } = view;
    const { pairs, signs, weights } = flips.block;
    const columns = [pairs.sources, pairs.targets, signs.buffer, weights.buffer].map((column) => backend.read(column));
    passed.push(await Promise.all(columns));
    const block = sampleBlock(view, 40, 0, "stratified", rng);
    flips.offer(block);
    const values = tensor(
      view.backend,
      Array.from({ length: 40 }, () => Math.round(4 * rng.normal())),
      [40],
    );
    expect(await flips.add(block, values, step)).toBe(step > 0 || keptBy === "device");
  }
  const after = await Promise.all(passed.map((_, step) => flips.after(step)));
  return { passed, after };
}

describe("flips that grow", () => {
  test("are the same on the device and on the host, and each step can be had again", async () => {
    const device = await grow("device");
    expect(device).toEqual(await grow("host"));
    for (const [step, { sources, targets }] of device.after.entries()) {
      expect([sources, targets]).toEqual(device.passed[step].slice(0, 2));
      expect(sources.length).toBe(2 + (step * (step - 1)) / 2);
    }
  });
});
