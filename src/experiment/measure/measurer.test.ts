import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sharedFolder } from "../../../test/support/temporary-folder.ts";
import type { RunOutcome } from "../store/store.ts";
import { planStudy } from "../study/plan-study.ts";
import type { RunDescription } from "../study/run-description.ts";
import { parseStudy } from "../study/study-file.ts";
import { Artefacts } from "./artefacts.ts";
import { Measurer } from "./measurer.ts";

const QUICK = "hidden: [8], maxEpochs: 20";
const STUDY = `
name: quick
datasets: synthetic-citation
models: [{ name: gcn, ${QUICK} }, { name: sgc, maxEpochs: 20 }]
surrogate: { name: gcn, ${QUICK} }
attacks: [dice, { name: fgsm, loss: ce }]
budgets: [2, 5]
seeds: [0, 3]
`;
const study = parseStudy(STUDY, "s.yaml");
const [part] = study.parts;

/** What must not depend on when and where a run was measured. */
const essence = ({ value, clean, result }: RunOutcome) => {
  const { score, flips, model } = result as Record<string, unknown>;
  return { value, clean, score, flips, model };
};

describe("a plan", () => {
  test("has a run for every combination, those of a batch one after the other", async () => {
    const { runs, largestGraph } = await planStudy(study);
    expect(largestGraph).toBe(2810);
    expect(runs).toHaveLength(2 * 2 * 2 * 2);
    expect(new Set(runs.map(({ id }) => id)).size).toBe(16);
    const batches = runs.map(({ batch }) => batch);
    expect(batches.filter((batch, k) => batch !== batches[k - 1])).toHaveLength(2); // all flips of a seed are found on one model
    const { cell, seed } = runs[0].description;
    expect([cell.model.name, cell.attack?.surrogate, seed]).toEqual(["gcn", null, 0]); // the surrogate itself is attacked directly
    expect(cell.model.hyperparameters).toMatchObject({ hidden: [8], maxEpochs: 20, dropout: 0.5 });
    expect(runs.map(({ description }) => description.cell.attack?.surrogate?.name)).toContain("gcn");
  });
  test("has a run once, however many parts ask for it", async () => {
    const more = { ...part, seeds: [0, 3, 7] };
    const { runs } = await planStudy({ name: "parts", parts: [part, more] });
    expect(runs).toHaveLength(24);
    expect(new Set(runs.map(({ id }) => id)).size).toBe(24);
  });
  test("is the same every time, and goes by content", async () => {
    const ids = (plan: Awaited<ReturnType<typeof planStudy>>) => plan.runs.map(({ id }) => id);
    expect(ids(await planStudy(study))).toEqual(ids(await planStudy(study)));
  });
  test("finds mistakes before anything is measured", async () => {
    const with_ = (line: string, by: string) => planStudy(parseStudy(STUDY.replace(line, by), "s.yaml"));
    await expect(with_("[2, 5]", "[2, 99999999]")).rejects.toThrow(
      /budget must be a whole number of flips in 0 … \d+, got 99999999/,
    );
    await expect(with_("seeds:", "objectives: targeted:nothing\nseeds:")).rejects.toThrow(
      /there is no class "nothing"/,
    );
    await expect(with_("synthetic-citation", "nowhere")).rejects.toThrow(/nowhere/);
  });
});

describe("measuring runs", { timeout: 120_000 }, () => {
  const folder = sharedFolder();
  const facts = { version: "test" };
  const measureAll = async (runs: readonly RunDescription[], artefacts: string, threads = 1) => {
    const measurer = new Measurer({ artefacts: new Artefacts(join(folder, artefacts)), facts, threads });
    const outcomes: RunOutcome[] = [];
    for (const run of runs) outcomes.push(await measurer.measure(run));
    await measurer.close();
    return outcomes;
  };
  const count = (artefacts: string, kind: string) =>
    readdirSync(join(folder, artefacts, kind), { recursive: true, encoding: "utf8" }).filter((file) =>
      /safetensors|csv/.test(file),
    ).length;

  test("gives the same results in any order, from artefacts and without, with any number of threads", async () => {
    const { runs } = await planStudy(study);
    const descriptions = runs.map(({ description }) => description);
    const first = await measureAll(descriptions, "a");
    const again = await measureAll(descriptions, "a");
    const backwards = await measureAll(descriptions.toReversed(), "b", 2);
    expect(again.map(essence)).toEqual(first.map(essence));
    expect(backwards.toReversed().map(essence)).toEqual(first.map(essence));
    expect([count("a", "models"), count("a", "flips")]).toEqual([4, 8]);
    for (const { value, clean, peakBytes } of first) {
      expect(value).toBeLessThanOrEqual(clean);
      expect(peakBytes).toBeGreaterThan(0);
    }
    const [direct] = first;
    expect(direct.result).toMatchObject({ objective: "accuracy", facts, numTargets: expect.any(Number) });
  });

  test("measures clean accuracy where nothing is attacked, and a victim that learned from the perturbed graph", async () => {
    const clean = await planStudy({ name: "clean", parts: [{ ...part, attacks: [], seeds: [0] }] });
    const attacked = { ...part, attacks: [{ name: "dice", options: {} }], budgets: [{ epsilon: 0.5 }], seeds: [0] };
    const poisoned = await planStudy({ name: "poisoned", parts: [{ ...attacked, times: ["poisoning", "evasion"] }] });
    const [gcn] = await measureAll([clean.runs[0].description], "a");
    expect(gcn.value).toBe(gcn.clean);
    const outcomes = await measureAll(
      poisoned.runs.map(({ description }) => description),
      "a",
    );
    const values = outcomes.map(({ value }) => value);
    expect(outcomes[0].clean).toBe(gcn.clean);
    expect(new Set(values).size).toBe(values.length);
  });

  test("refuses a graph or split other than the planned one, each time", async () => {
    const { runs } = await planStudy(study);
    const { cell, ...rest } = runs[0].description;
    const other = { ...rest, cell: { ...cell, graph: { ...cell.graph, sha256: "00" } } };
    const measurer = new Measurer({ artefacts: new Artefacts(join(folder, "c")), facts });
    for (const wrong of [other, other, { ...rest, cell, splitHash: "00" }])
      await expect(measurer.measure(wrong)).rejects.toThrow(
        /the graph or its split here is not the one that was planned/,
      );
    await measurer.close();
  });
});
