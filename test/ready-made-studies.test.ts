import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cellsOf } from "../src/experiment/study/plan-study.ts";
import { namedGraph } from "../src/experiment/study/planned-graph.ts";
import { cellId } from "../src/experiment/study/run-description.ts";
import { readStudy } from "../src/experiment/study/study-file.ts";
import { rgnnHere } from "./support/rgnn.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const root = join(import.meta.dirname, "..");

describe("ready-made studies", () => {
  const files = readdirSync(join(root, "studies")).filter((file) => file.endsWith(".yaml"));

  test.each(files)("%s can be read, is called like its file and names the schema", (file) => {
    const path = join(root, "studies", file);
    expect(readStudy(path).name).toBe(file.replace(".yaml", ""));
    expect(readFileSync(path, "utf8")).toMatch(/^# yaml-language-server: \$schema=\.\.\/study\.schema\.json\n/);
    expect(readFileSync(join(root, "studies", "README.md"), "utf8")).toContain(`\`${file}\``);
  });
  test.each(files)("%s makes sense to every model and attack that it names", (file) => {
    const { parts } = readStudy(join(root, "studies", file));
    for (const part of parts) {
      for (const choice of part.datasets) {
        const cells = cellsOf(part, namedGraph(choice), null);
        expect(cells.length).toBeGreaterThan(0);
        expect(new Set(cells.map(({ cell }) => cellId(cell))).size).toBe(cells.length);
      }
    }
  });
  test.each(files.filter((file) => !file.startsWith("quick-")))(
    "%s has a quick version, or is one of a few",
    (file) => {
      const hasQuick = files.includes(`quick-${file}`);
      expect(hasQuick || ["losses-pubmed.yaml", "transfer-arxiv.yaml"].includes(file)).toBe(true);
    },
  );
  test.each(files.filter((file) => file.startsWith("quick-")))("%s needs no data, as a dry run shows", async (file) => {
    const store = join(temporaryFolder(), "store.sqlite");
    const { status, stdout } = await rgnnHere(["run", join(root, "studies", file), "--dry-run", "--store", store]);
    expect(status).toBe(0);
    const [, runs, left] = /(\d+) runs, (\d+) still to be measured/.exec(stdout)!;
    expect(Number(runs)).toBeGreaterThan(10);
    expect(left).toBe(runs);
  });
});
