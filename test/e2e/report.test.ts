import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { openRunStore } from "../../src/experiment/store/open-run-store.ts";
import { madeStudy } from "../support/report-runs.ts";
import { rgnnHere } from "../support/rgnn.ts";
import { sharedFolder } from "../support/temporary-folder.ts";

describe("rgnn report", { timeout: 60_000 }, () => {
  const folder = sharedFolder();
  const inFolder = (file: string) => join(folder, file);
  const [first, ...others] = madeStudy();
  const report = (...args: readonly string[]) => rgnnHere(["report", ...args]);

  beforeAll(async () => {
    const { outcome: _, finishedAt: __, ...waiting } = first;
    const store = await openRunStore(inFolder("half.sqlite"));
    await store.addRuns("half", [waiting, ...others]);
    await store.merge(others);
    await store.close();
    const two = await openRunStore(inFolder("two.sqlite"));
    await two.addRuns("done", others);
    await two.merge(others);
    await two.addRuns("open", [waiting]);
    await two.close();
    await (await openRunStore(inFolder("empty.sqlite"))).close();
  });

  test("writes a page for a study that is half finished, and says so", async () => {
    const out = inFolder("half.html");
    const { status, stdout, lines } = await report("--store", inFolder("half.sqlite"), "--out", out);
    expect([status, stdout]).toEqual([0, `report  ${out}\n`]);
    expect(lines).toEqual(["rgnn: This report is partial: 29 of 30 runs are done; 1 is still to be measured."]);
    const page = readFileSync(out, "utf8");
    expect(page.startsWith("<!doctype html>")).toBe(true);
    expect(page.includes("sgc is the most robust")).toBe(true);
  });
  test("writes Markdown and LaTeX with their figures beside, and tells programs which files", async () => {
    for (const out of [inFolder("r.md"), inFolder("r.tex")]) {
      const { status, stdout } = await report("done", "--store", inFolder("two.sqlite"), "--out", out, "--json");
      const { study, runs, files } = JSON.parse(stdout) as { study: string; runs: number; files: string[] };
      expect([status, study, runs, files[0]]).toEqual([0, "done", 29, out]);
      expect(files.length).toBeGreaterThan(20);
      for (const file of files) expect(existsSync(file)).toBe(true);
    }
  });
  test.each<[string, () => string[], RegExp]>([
    [
      "a store that is not there",
      () => ["--store", inFolder("none.sqlite")],
      /none\.sqlite: there is no store; measure a study with rgnn run/,
    ],
    ["an empty store", () => ["--store", inFolder("empty.sqlite")], /empty\.sqlite: holds no results/],
    ["a study of an empty store", () => ["x", "--store", inFolder("empty.sqlite")], /has no study "x"; it has none/],
    ["an unknown study", () => ["x", "--store", inFolder("half.sqlite")], /has no study "x"; it has "half"/],
    ["several studies", () => ["--store", inFolder("two.sqlite")], /has several studies; name one of "done", "open"/],
    [
      "a study of which nothing is done",
      () => ["open", "--store", inFolder("two.sqlite")],
      /study "open": none of its 1 runs is done/,
    ],
    [
      "a form that is not known",
      () => ["--store", inFolder("half.sqlite"), "--out", "report.docx"],
      /unknown form of reports "docx"; known are html, md, tex/,
    ],
    ["a file that is no store", () => ["--store", inFolder("text.sqlite")], /is no store/],
  ])("refuses %s with one line and exit code 2", async (_, args, message) => {
    writeFileSync(inFolder("text.sqlite"), "this is no database, whatever its name says".repeat(50));
    const { status, stdout, lines } = await report("--out", inFolder("refused.html"), ...args());
    expect([status, stdout, lines.length]).toEqual([2, "", 1]);
    expect(lines[0]).toMatch(message);
    expect(existsSync(inFolder("refused.html"))).toBe(false);
    expect(existsSync(inFolder("none.sqlite"))).toBe(false); // a report must not make a store
  });
});
