import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { measuredRun } from "../../../test/support/measured-runs.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { localAttacks } from "../../attack/local/local-attacks.ts";
import { modelKinds } from "../models.ts";
import { runStudy } from "../runner/run-study.ts";
import { openRunStore } from "../store/open-run-store.ts";
import { planExperiments } from "./experiment.ts";
import { localReproduction, rateExperiment } from "./local.ts";
import { type ReproducedRate, summariseRates } from "./local-report.ts";
import { type LocalRow, type LocalTable, localTables } from "./local-tables.ts";
import { publishedRate, publishedRates } from "./published-local.ts";
import { Results } from "./results.ts";

/** Local DICE on an SGC that hardly trains: quick, and with the frame of every other table. */
function small(times: readonly ("evasion" | "poisoning")[], epsilons: readonly number[]): LocalTable {
  const row = (time: "evasion" | "poisoning", epsilon: number): LocalRow => ({
    published: { table: "sga", dataset: "synthetic-citation", attack: "local-dice", epsilon, model: "sgc", time },
    label: "local-dice",
    options: {},
    influence: "direct",
    set: { maxEpochs: 3 },
  });
  return {
    title: "A small table",
    datasets: ["synthetic-citation"],
    remark: "",
    rows: () => times.flatMap((time) => epsilons.map((epsilon) => row(time, epsilon))),
  };
}

async function measure(table: LocalTable, asked: readonly number[], folder = temporaryFolder()) {
  const place = join(folder, "store.sqlite");
  const store = await openRunStore(place);
  const reproduction = localReproduction(table);
  const parts = { ...reproduction.parts!, epsilons: asked };
  const choice = { datasets: table.datasets, seeds: [0], parts };
  const devices = new Map([["synthetic-citation", "cpu"]]);
  const plan = await planExperiments("local", reproduction.experiments(choice), { seeds: [0], devices });
  const { failed } = await runStudy(store, plan, { place, artefacts: join(folder, "a"), workers: 1, threads: 2 });
  expect(failed).toEqual([]);
  const report = await reproduction.report(choice, await Results.read(store, table.datasets));
  const finished = await store.finished();
  await store.close();
  return { rows: report.rows as ReproducedRate[], finished, plan };
}

describe("published rates", () => {
  test("are those of both tables", () => {
    const gcn = { dataset: "cora_ml", epsilon: 0.5, model: "gcn" };
    expect(publishedRate({ ...gcn, table: "local", attack: "nettack", time: "evasion" })?.mean).toBe(0.533);
    expect(publishedRate({ ...gcn, table: "sga", attack: "sga", time: "poisoning" })?.mean).toBe(0.64);
    expect(publishedRate({ ...gcn, table: "sga", attack: "nettack", time: "evasion" })).toBeUndefined();
  });
  test("lie apart over seeds as rates of forty nodes do by chance, and by a node at least", () => {
    const half = publishedRates({ mean: 0.5, err: null });
    expect([half.count, half.standardDeviation]).toEqual([3, Math.sqrt(0.25 / 40)]);
    expect(publishedRates({ mean: 1, err: null }).standardDeviation).toBeCloseTo(1 / 120, 12);
  });
});

describe("verdicts about rates", () => {
  const [row] = localTables["local"].rows("cora_ml"); // published: .292
  const judged = (...values: number[]) => summariseRates([{ row, values }])[0];

  test("go by both spreads, and call what succeeds more often stronger", () => {
    expect(publishedRate(row.published)?.mean).toBe(0.292);
    expect(judged(0.2, 0.3, 0.4).verdict).toBe("within");
    expect(judged(0.7, 0.71, 0.72).verdict).toBe("stronger");
    expect(judged(0.01, 0, 0.02).verdict).toBe("weaker");
    expect(judged(0.9)).toMatchObject({ verdict: "unknown", interval: null });
  });
  test("name what differs", () => {
    const table = localTables["local"];
    const experiment = rateExperiment(table, row);
    const runs = [0, 1, 5].map((seed) => measuredRun(experiment, seed, 0.01 * seed));
    const report = localReproduction(table).report({ datasets: ["cora_ml"], seeds: [0, 1, 5] }, new Results(runs));
    expect(report).toMatchObject({
      verdicts: [
        expect.stringMatching(/: 1 of 1: cora_ml local-prbcd, as published ε 0\.1 on gcn weaker \(−0\.272\)\.$/),
        expect.any(String),
        expect.stringContaining("weaker (−0.272)"),
      ],
    });
  });
});

describe("tables of success rates", { timeout: 60_000 }, () => {
  test.each(Object.entries(localTables))(
    "%s names what exists, with published rates where there are some",
    (_, table) => {
      for (const dataset of table.datasets) {
        for (const { published } of table.rows(dataset)) {
          expect(Object.keys(modelKinds)).toContain(published.model);
          expect(Object.keys(localAttacks)).toContain(published.attack);
          expect(publishedRate(published) !== undefined).toBe(dataset !== "pubmed");
        }
      }
    },
  );

  test("are about the same flips in evasion and poisoning, and keep what happens to each node", async () => {
    const { rows, finished, plan } = await measure(small(["evasion", "poisoning"], [1]), [1]);
    expect(rows.map(({ time, verdict, nodes }) => [time, verdict, nodes])).toEqual([
      ["evasion", "unpublished", 40],
      ["poisoning", "unpublished", 40],
    ]);
    expect(new Set(plan.runs.map(({ work }) => work)).size).toBe(1);
    const nodes = finished.map(({ outcome }) => (outcome.result as unknown as Kept).nodes);
    expect(nodes[0].map(({ node, flips }) => [node, flips])).toEqual(nodes[1].map(({ node, flips }) => [node, flips]));
    expect(nodes[0].filter(({ success }) => success).length / 40).toBe(finished[0].outcome.value);
    for (const { margin, success } of nodes[0]) expect(margin.adversarial < 0 && margin.clean > 0).toBe(success);
    for (const { outcome } of finished) expect(outcome.clean).toBeGreaterThan(0.1);
  });

  test("draw the same nodes for a budget, whichever budgets are measured", async () => {
    const table = small(["evasion"], [0.5, 1]);
    const folder = temporaryFolder();
    const whole = await measure(table, [0.5, 1]);
    const last = await measure(table, [1], folder);
    const rest = await measure(table, [0.5, 1], folder);
    expect(last.rows[0]).toEqual(whole.rows[1]);
    expect(rest.rows).toEqual(whole.rows);
  });
});

interface Kept {
  readonly nodes: readonly {
    readonly node: number;
    readonly flips: number;
    readonly success: boolean;
    readonly margin: { readonly clean: number; readonly adversarial: number };
  }[];
}
