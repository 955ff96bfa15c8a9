import { describe, expect, test } from "vitest";
import { randomGraph } from "../../../test/support/any-graph.ts";
import { createWasm } from "../../backend/wasm/wasm.ts";
import { Rng } from "../../core/rng.ts";
import { createSoftMedianPprgo, robustPprgoDefaults } from "../../defense/robust-pprgo.ts";
import { Pprgo, pprgoDefaults } from "../../nn/models/pprgo.ts";
import { toDevice } from "../../tensor/index.ts";
import { attackedGraph } from "./attacked-graph.ts";
import { localPrbcd, localPrbcdOnRows } from "./local-prbcd.ts";
import type { LocalResult } from "./local-result.ts";

async function all(results: AsyncGenerator<LocalResult>): Promise<LocalResult[]> {
  const found: LocalResult[] = [];
  for await (const { seconds: _, ...result } of results) found.push({ ...result, seconds: 0 });
  return found;
}

describe("local PR-BCD on the rows of a graph", () => {
  test.each(["pprgo", "soft-median-pprgo"])("finds for %s what it finds on the graph in memory", async (kind) => {
    const backend = await createWasm({ threads: 1 });
    const graph = randomGraph(60, 0.08, 4, { directed: true });
    const view = toDevice(backend, graph);
    const sizes = { features: graph.numFeatures, classes: graph.numClasses };
    const config = { hidden: [8], epsilon: 1e-4, k: 16 };
    const model =
      kind === "pprgo"
        ? new Pprgo(backend, sizes, { ...pprgoDefaults, ...config }, new Rng(1))
        : createSoftMedianPprgo(backend, sizes, { ...robustPprgoDefaults, ...config }, new Rng(1));
    const task = () => ({ nodes: [3, 17, 40], budget: { flips: 2 }, rng: new Rng(2) });
    const options = { blockSize: 30, epochs: 12 }; // not all candidates at once, so that some are replaced
    const inMemory = await all(localPrbcd(model, view, task(), options));
    const onRows = await all(localPrbcdOnRows(model, attackedGraph(view, "test"), task(), options));
    expect(onRows).toEqual(inMemory);
    expect(onRows.some(({ perturbation }) => perturbation.flips.sources.length > 0)).toBe(true);
    for (const { actions, perturbation } of onRows) expect(actions.length).toBe(perturbation.flips.sources.length);
    await backend.close();
  });
});
