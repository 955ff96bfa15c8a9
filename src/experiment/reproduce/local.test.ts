import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { localAttacks } from "../../attack/local/local-attacks.ts";
import { silent } from "../../core/progress.ts";
import { modelKinds } from "../../defense/model-kinds.ts";
import { localReproduction } from "./local.ts";
import type { ReproducedRate } from "./local-report.ts";
import { type LocalRow, type LocalTable, localTables } from "./local-tables.ts";
import { publishedRate, rateTolerance } from "./published-local.ts";
import { ResultStore } from "./store.ts";

const folder = mkdtempSync(join(tmpdir(), "rgnn-local-tables-"));
afterAll(() => rmSync(folder, { recursive: true }));

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

async function measure(table: LocalTable, file: string) {
  const begun: string[] = [];
  const steps = {
    begin(what: string) {
      begun.push(what);
      return silent;
    },
    end() {},
  };
  const choice = { datasets: table.datasets, seeds: [0] };
  const store = new ResultStore(join(folder, file));
  const report = await localReproduction(table).run(choice, store, { where: { threads: 2 }, steps });
  return { rows: report.rows as ReproducedRate[], begun };
}

describe("publishedRate", () => {
  test("knows the rates of both tables", () => {
    const gcn = { dataset: "cora_ml", epsilon: 0.5, model: "gcn" };
    expect(publishedRate({ ...gcn, table: "local", attack: "nettack", time: "evasion" })?.mean).toBe(0.533);
    expect(publishedRate({ ...gcn, table: "sga", attack: "sga", time: "poisoning" })?.mean).toBe(0.64);
    expect(publishedRate({ ...gcn, table: "sga", attack: "nettack", time: "evasion" })).toBeUndefined();
  });

  test("may be missed by two standard errors of the difference, and by .03 at least", () => {
    expect(rateTolerance({ mean: 0.5, err: null }, 120)).toBeCloseTo(2 * Math.sqrt(0.5 / 120), 10);
    expect(rateTolerance({ mean: 0.5, err: null }, 40)).toBeCloseTo(2 * Math.sqrt(0.25 / 120 + 0.25 / 40), 10);
    expect(rateTolerance({ mean: 1, err: null }, 120)).toBe(0.03);
  });
});

describe("tables of success rates", () => {
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

  test("are measured once, evasion before poisoning", { timeout: 60_000 }, async () => {
    const first = await measure(small(["evasion", "poisoning"], [0.5, 1]), "both.jsonl");
    expect(first.begun.map((what) => what.replace(/^synthetic-citation seed 0: (\S+) (\S+).*/, "$1 $2"))).toEqual([
      "train sgc,",
      "local-dice on",
      "local-dice on",
      "train sgc,",
      "local-dice on",
      "local-dice poisons",
      "local-dice on",
      "local-dice poisons",
    ]);
    expect(first.rows.map(({ time, epsilon, verdict }) => [time, epsilon, verdict])).toEqual([
      ["evasion", 0.5, "unpublished"],
      ["evasion", 1, "unpublished"],
      ["poisoning", 0.5, "unpublished"],
      ["poisoning", 1, "unpublished"],
    ]);
    const again = await measure(small(["evasion", "poisoning"], [0.5, 1]), "both.jsonl");
    expect(again.begun).toEqual([]);
    expect(again.rows).toEqual(first.rows);
  });

  test("give the same rates in one go as after an interruption", { timeout: 60_000 }, async () => {
    const whole = await measure(small(["evasion"], [0.5, 1]), "whole.jsonl");
    const parts = await measure(small(["evasion"], [0.5]), "parts.jsonl");
    const rest = await measure(small(["evasion"], [0.5, 1]), "parts.jsonl");
    expect(parts.rows[0]).toEqual(whole.rows[0]);
    expect(rest.rows).toEqual(whole.rows);
  });
});
