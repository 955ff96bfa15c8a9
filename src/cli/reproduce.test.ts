import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { measuredRun } from "../../test/support/measured-runs.ts";
import { rgnnHere } from "../../test/support/rgnn.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { reproductions } from "../experiment/reproduce/reproductions.ts";
import { openRunStore } from "../experiment/store/open-run-store.ts";
import { codeHash, codeHashes } from "../experiment/study/code-hash.ts";
import { reproduceCommand } from "./reproduce.ts";

describe("rgnn reproduce", () => {
  const run = (...args: string[]) => reproduceCommand().parseAsync(args, { from: "user" });
  test("refuses parts of a table that it does not have, and lists those it has", async () => {
    await expect(run("strength", "--models", "gcn,mlp")).rejects.toThrow(
      'strength has no model "mlp"; it has gcn, gdc, soft-median-gdc,',
    );
    await expect(run("strength", "--attacks", "fgsm")).rejects.toThrow('strength has no attack "fgsm"; it has prbcd,');
    await expect(run("strength", "--epsilons", "0.2")).rejects.toThrow(
      'strength has no epsilon "0.2"; it has 0.05, 0.1, 0.25, 0.5, 1',
    );
    await expect(run("strength", "--datasets", "arxiv")).rejects.toThrow(
      'strength has no dataset "arxiv"; it has cora_ml',
    );
  });
  test("refuses to measure a table in parts that has none", async () => {
    await expect(run("direct", "--models", "gcn")).rejects.toThrow(
      "reproduce direct does not use --models; leave it out",
    );
  });
});

describe("rgnn reproduce on a store", () => {
  /** A store with the table `clean` of one graph: two seeds by this code, one by another. */
  async function filled(): Promise<string> {
    const place = join(temporaryFolder(), "store.sqlite");
    const store = await openRunStore(place);
    const experiments = reproductions["clean"].experiments({ datasets: ["cora_ml"], seeds: [] });
    const runs = experiments.flatMap((experiment) => [
      measuredRun(experiment, 0, 0.8),
      measuredRun(experiment, 1, 0.82),
      measuredRun(experiment, 5, 0.81, { code: "old" }),
    ]);
    await store.merge(runs);
    await store.close();
    return place;
  }

  test("says which rows are stale, row by row for one table, and fails if any is", async () => {
    const store = await filled();
    const all = await rgnnHere(["reproduce", "--check", "--store", store]);
    expect(all.status).toBe(1);
    expect(all.stdout).toMatch(/^clean +14 +0 +5 +9$/m);
    expect(all.stdout).toMatch(/^direct +24 +0 +0 +24$/m);
    expect(all.lines.at(-1)).toMatch(/^rgnn: \d+ of \d+ rows are stale or not measured$/);
    const one = await rgnnHere(["reproduce", "clean", "--check", "--store", store]);
    expect(one.stdout).toContain("  cora_ml: gdc: stale with seeds 5\n");
    expect(one.stdout).toContain("  citeseer: gcn: missing with seeds 0, 1, 5\n");
    const json = await rgnnHere(["reproduce", "clean", "--check", "--seeds", "0,1", "--json", "--store", store]);
    const { code, tables } = JSON.parse(json.stdout) as { code: string[]; tables: { rows: object[] }[] };
    expect(code).toEqual(codeHashes("attack"));
    expect(tables[0].rows[0]).toEqual({ row: "cora_ml: gcn", current: [0, 1], stale: [], missing: [] });
  });

  test("shows what it holds, measures nothing, and says by which code it was measured", async () => {
    const store = await filled();
    const shown = await rgnnHere(["reproduce", "clean", "--stored", "--store", store]);
    expect(shown.status).toBe(0);
    expect(shown.stdout).toMatch(/^cora_ml +none +gdc +0\.810 ± 0\.010 +3 /m);
    expect(shown.stdout).toContain("These numbers were measured by 2 versions of the code: ");
    const some = await rgnnHere(["reproduce", "clean", "--stored", "--seeds", "0,1", "--store", store]);
    expect(some.stdout).toContain(`All numbers were measured by code \`${codeHash("attack", "cpu")}\`.`);
  });
});
