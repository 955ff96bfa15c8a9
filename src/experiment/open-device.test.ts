import { availableParallelism } from "node:os";
import { describe, expect, test } from "vitest";
import { GPU_PAYS_FROM } from "../backend/webgpu/real-gpu.ts";
import { openBackend } from "./open-device.ts";

describe("the device of a session", () => {
  test("is the CPU for a small graph, without a word", async () => {
    const { backend, notes } = await openBackend({ device: "auto", numNodes: GPU_PAYS_FROM - 1 });
    expect([backend.name, notes]).toEqual(["wasm", []]);
    await backend.close();
  });

  test("is a GPU for a large one where there is one, else the CPU, and a note says which and why", async () => {
    const { backend, notes } = await openBackend({ device: "auto", numNodes: GPU_PAYS_FROM });
    expect(notes.length).toBe(1);
    expect(notes[0]).toMatch(backend.name === "wasm" ? /^running on the CPU: .+/ : /^running on the GPU \(.+\)/);
    await backend.close();
  });

  test("has no more threads than the machine has cores", async () => {
    const cores = availableParallelism();
    const { backend, notes } = await openBackend({ device: "auto", threads: cores + 7, numNodes: GPU_PAYS_FROM });
    expect([backend.name, notes]).toEqual([
      "wasm",
      [`--threads ${cores + 7}: this machine has ${cores}; using ${cores}`],
    ]);
    await backend.close();
  });

  test("must be known", async () => {
    await expect(openBackend({ device: "tpu", numNodes: 1 })).rejects.toThrow('unknown device "tpu"');
    await expect(openBackend({ device: "webgpu", threads: 2, numNodes: 1 })).rejects.toThrow("leave out --threads");
    const wish = { device: "cpu", precision: "half", numNodes: 1 } as const;
    await expect(openBackend(wish)).rejects.toThrow("the CPU computes in single precision; leave out --precision");
  });
});
