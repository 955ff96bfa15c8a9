import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { attackCase } from "../../../test/support/attack-case.ts";
import { createReference } from "../../backend/reference/reference.ts";
import { createWasm } from "../../backend/wasm/wasm.ts";
import { defaultsOf } from "../../core/options/index.ts";
import { Rng } from "../../core/rng.ts";
import { createJaccardGcn, jaccardGcnOptions } from "../../defense/jaccard-gcn.ts";
import { Sgc, sgcDefaults } from "../../nn/models/sgc.ts";
import { margin } from "../losses.ts";
import { accuracyObjective, customObjective, marginObjective, type Objective, targetedAt } from "../objective.ts";
import { Victim } from "../victim.ts";
import { meanReach, openStanding } from "./open-standing.ts";
import { openWholePass } from "./whole-pass-standing.ts";

const changes = {
  offsets: Int32Array.of(0, 1, 3, 6),
  sources: Int32Array.of(0, 1, 2, 3, 4, 0),
  targets: Int32Array.of(5, 7, 6, 4, 8, 2),
};

/** What two ways of standing at the same graph say of the same changes, before and after some are made. */
async function expectSame(victim: Victim, nodes: readonly number[]): Promise<void> {
  const patched = await openStanding(victim, nodes, new Rng(0));
  expect(patched.isPatched).toBe(true);
  const whole = await openWholePass(victim);
  for (let step = 0; step < 3; step++) {
    expect(patched.score).toBeCloseTo(whole.score, 4);
    const seen = await patched.gains(changes);
    const expected = await whole.gains(changes);
    for (let t = 0; t < 3; t++) expect(seen.score[t]).toBeCloseTo(expected.score[t], 4);
    const flips = { sources: Int32Array.of(step, 5), targets: Int32Array.of(9, 10 + step) };
    for (const standing of [patched, whole]) {
      await standing.toggle(flips);
      await standing.refresh();
    }
  }
  patched.close();
  whole.close();
}

describe("openStanding", () => {
  test("patches rows to the same scores as whole passes, for any objective that adds up", async () => {
    const backend = await createWasm({ threads: 2 });
    const objectives: Objective[] = [accuracyObjective, marginObjective, targetedAt(2)];
    await fc.assert(
      fc.asyncProperty(fc.nat(1e6), fc.boolean(), fc.constantFrom(...objectives), async (seed, directed, objective) => {
        const config = { hidden: [16] }; // with fewer, all may be below 0: then logits are equal but for rounding
        const { model, view, nodes } = await attackCase(backend, seed, { directed, config });
        const attacked = nodes.slice(0, 11);
        const victim = new Victim(model, view, attacked, objective);
        await expectSame(victim, attacked);
        for (const item of [victim, model, view]) item.dispose();
      }),
      { numRuns: 20 },
    );
    await backend.close();
  });

  test("patches batch norm, row normalisation, linear layers, SGC and purified graphs", async () => {
    const backend = createReference();
    const { view, graph, nodes } = await attackCase(backend, 6);
    const sizes = { features: graph.numFeatures, classes: graph.numClasses };
    const gcns = [{ batchNorm: true }, { normalisation: "row" }, { activation: "identity", bias: false }] as const;
    const models = [
      ...(await Promise.all(gcns.map(async (config) => (await attackCase(backend, 6, { config })).model))),
      new Sgc(backend, sizes, sgcDefaults, new Rng(1)),
      createJaccardGcn(backend, sizes, { ...defaultsOf(jaccardGcnOptions), threshold: 0.5 }, new Rng(1)),
    ];
    for (const model of models) await expectSame(new Victim(model, view, nodes), nodes);
  });

  test("makes whole passes where a score does not add up over nodes", async () => {
    const { model, view, nodes } = await attackCase(createReference(), 6);
    const victim = new Victim(model, view, nodes, customObjective("own", margin));
    expect((await openStanding(victim, nodes, new Rng(0))).isPatched).toBe(false);
  });
});

test("meanReach counts the nodes within some hops", () => {
  const path = {
    numRows: 4,
    numCols: 4,
    rowPtr: Int32Array.of(0, 1, 3, 5, 6),
    colIdx: Int32Array.of(1, 0, 2, 1, 3, 2),
    values: null,
  };
  expect(meanReach(path, 3, new Rng(0))).toBe(4);
  expect(meanReach(path, 0, new Rng(0))).toBe(1);
});
