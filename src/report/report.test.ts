import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { madeRun, madeStudy } from "../../test/support/report-runs.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { parseCsvLine } from "../data/formats/csv-line.ts";
import { openRunStore } from "../experiment/store/open-run-store.ts";
import type { FinishedRun } from "../experiment/store/store.ts";
import { buildReport, type ReportOptions } from "./build-report.ts";
import type { FigureBlock, ReportDocument, TableBlock } from "./document.ts";
import { REPORT_FORMATS } from "./report-formats.ts";
import { readResults } from "./results/read-study.ts";

const provenance: ReportOptions = {
  command: "rgnn report made",
  version: "0.1.0",
  date: new Date(Date.UTC(2026, 0, 5)),
};

interface Made {
  readonly study?: string;
  readonly options?: Partial<ReportOptions>;
  /** Runs that are planned and not done. */
  readonly waiting?: readonly FinishedRun[];
}

async function reportOf(runs: readonly FinishedRun[], { study = "made", options = {}, waiting = [] }: Made = {}) {
  const store = await openRunStore(join(temporaryFolder(), "store.sqlite"));
  const planned = [...runs, ...waiting].map(({ outcome: _, finishedAt: __, ...run }) => run);
  await store.addRuns(study, planned);
  await store.merge(runs);
  const results = await readResults(store, study).finally(() => store.close());
  return buildReport(results, { ...provenance, ...options });
}

const sectionIds = ({ sections }: ReportDocument) => sections.map(({ id }) => id);
const blocksOf = ({ sections }: ReportDocument) => sections.flatMap(({ blocks }) => blocks);
const figuresOf = (report: ReportDocument) =>
  blocksOf(report).filter((block): block is FigureBlock => block.kind === "figure");
const tableOf = (report: ReportDocument, id: string) =>
  blocksOf(report).find((block): block is TableBlock => block.kind === "table" && block.id === id)!;
const html = async (report: ReportDocument) => (await REPORT_FORMATS["html"](report, "report")).get("report.html")!;

describe("a summary", () => {
  test("says in words which model is most robust, what is lost and which attack is strongest", async () => {
    const { summary, keyFigures, notices } = await reportOf(madeStudy());
    expect(notices).toEqual([]);
    expect(summary[0]).toMatch(
      /^On cora_ml, sgc is the most robust: .* with a budget of 10% of the edges, it keeps 51\.3% of its test nodes right, 10\.3 percentage points ahead of gcn \(95% interval 8\.9 to 11\.8, corrected p = 0\.001, 3 pairs of runs: unlikely to be chance\)\.$/,
    );
    expect(summary).toContain(
      "gcn loses most: from 81.0% to 41.0% with a budget of 10% of the edges; 5% of the edges already cost it 35.0 percentage points (strong).",
    );
    expect(summary[2]).toMatch(
      /^The strongest attack on cora_ml is strong: averaged over models it leaves 46\.2%, 20\.0 percentage points less than weak/,
    );
    expect(keyFigures.map(({ value }) => value)).toEqual(["sgc", "strong", "−40.0 points", "30 runs"]);
  });
  test("says what one seed and transferred flips do not tell, and which models no flip changes", async () => {
    const { summary } = await reportOf([
      madeRun({ model: "gcn", value: 0.4 }),
      madeRun({ model: "sgc", value: 0.5, surrogate: "gcn" }),
      madeRun({ model: "mlp", value: 0.6, clean: 0.6, surrogate: "gcn" }),
    ]);
    const text = summary.join("\n");
    expect(text).toContain("sgc may be the most robust");
    expect(text).toContain("one pair of runs, which says nothing about chance");
    expect(text).toContain("mlp does not change under any attack");
    expect(text).toContain("The flips were found on gcn and transferred to sgc and mlp");
    expect(text).toContain("All of this is one seed (0)");
  });
  test("has the clean accuracies where nothing was attacked", async () => {
    const report = await reportOf([madeRun({ attack: null, value: 0.8125, clean: 0.8125 })]);
    expect(report.summary).toEqual(["Nothing was attacked. Test accuracy on cora_ml: gcn 81.3%."]);
    expect(sectionIds(report)).toEqual(["accuracy", "epochs", "cost", "settings", "left-out"]);
  });
});

describe("sections", () => {
  test("show for every budget what the strongest attack leaves of a model, that of a smaller budget if it is stronger", async () => {
    const at = (attack: string, epsilon: number, value: number) => madeRun({ attack, epsilon, value });
    const report = await reportOf([
      at("weak", 0.05, 0.7),
      at("strong", 0.05, 0.5),
      at("weak", 0.1, 0.6),
      at("strong", 0.1, 0.55),
      at("weak", 0.25, 0.4),
    ]);
    expect(tableOf(report, "worst-case-table").cells).toEqual([["gcn", "80.0", "50.0", "50.0", "40.0", "weak"]]);
    expect(sectionIds(await reportOf([at("weak", 0.05, 0.7)]))).not.toContain("worst-case");
  });
  test("are those that were asked for, and others are refused", async () => {
    const chosen = (...sections: string[]) => reportOf(madeStudy(), { options: { sections } });
    expect(sectionIds(await chosen("settings", "accuracy"))).toEqual(["accuracy", "settings"]);
    await expect(chosen("acuracy")).rejects.toThrow(
      /unknown section "acuracy"; of this study there are worst-case, accuracy/,
    );
  });
  test("are all there where runs kept what they need", async () => {
    const bounds = [1, 5].map((budget) => ({
      dataset: "cora_ml",
      model: "gcn",
      seed: 0,
      budget,
      allowed: "both" as const,
      certified: 0.2,
      attacked: 0.5,
    }));
    const report = await reportOf(madeStudy(), { options: { bounds } });
    expect(sectionIds(report)).toEqual([
      "worst-case",
      "accuracy",
      "margins",
      "groups",
      "flips",
      "structure",
      "certificates",
      "epochs",
      "cost",
      "settings",
    ]);
    expect(figuresOf(report).map(({ id }) => id)).toEqual([
      "worst-case-curves",
      "accuracy-over-budget",
      "margin-distribution",
      "margin-boxes",
      "accuracy-by-degree",
      "accuracy-by-class",
      "flip-classes",
      "flip-degrees",
      "flip-distance",
      "homophily",
      "degree-distribution",
      "certified-band",
      "training-loss",
      "attack-loss",
      "attack-accuracy",
      "attack-cost",
    ]);
    for (const { caption, alternative, chart } of figuresOf(report)) {
      expect(caption.length).toBeGreaterThan(40);
      expect(alternative.length).toBeGreaterThan(40);
      expect(chart.rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(chart)).not.toMatch(/NaN|undefined|null,"mean/);
    }
  });
  test("are left out with a reason where runs kept less, and the rest is there", async () => {
    const report = await reportOf(madeStudy({ hasDetails: false }));
    expect(sectionIds(report)).toEqual(["worst-case", "accuracy", "cost", "settings", "left-out"]);
    const reasons = report.sections.at(-1)!.blocks.map((block) => (block.kind === "text" ? block.text : ""));
    expect(reasons).toHaveLength(6);
    expect(reasons[0]).toBe(
      "Margins of attacked nodes: the runs were measured by an earlier version, which did not keep what this needs.",
    );
  });
  test("have the numbers of the runs in their tables", async () => {
    const report = await reportOf(madeStudy());
    const { columns, cells } = tableOf(report, "accuracy-table");
    expect(columns.map(({ title }) => title)).toEqual(["attack", "budget", "gcn", "sgc", "seeds"]);
    expect(cells[0]).toEqual(["none", "0%", "81.0 ± 0.6", "81.0 ± 0.6", "3"]);
    expect(cells[2]).toEqual(["strong", "10%", "41.0 ± 0.6", "51.3 ± 0.7", "3"]);
    expect(tableOf(report, "comparison-table").cells[1].slice(0, 7)).toEqual([
      "gcn",
      "strong",
      "10%",
      "81.0 ± 0.6",
      "41.0 ± 0.6",
      "40.0",
      "10.3",
    ]);
    const facts = new Map(tableOf(report, "provenance-table").cells.map(([name, value]) => [name, value]));
    expect(facts.get("processor")).toBe("Some CPU, 2 cores");
    expect(facts.get("report made by")).toBe("rgnn report made");
    expect(facts.get("runs")).toBe("30, seeds 0, 1 and 2");
  });
  test("show how often attacks on single nodes succeed, and their margins", async () => {
    const node = (before: number, after: number) => ({
      margin: { clean: before, adversarial: after },
      success: after < 0,
    });
    const runs = [0, 1].map((seed) => {
      const run = madeRun({
        seed,
        attack: "nettack",
        value: 0.5 + seed / 4,
        change: (cell) => ({ ...cell, quantity: "success-rate", attack: { ...cell.attack!, epsilon: 0.5, budget: 0 } }),
      });
      const result = { nodes: [node(0.9, -0.5), node(0.5, 0.1)], attack: { seconds: 3, peakBytes: 1 } };
      return { ...run, outcome: { ...run.outcome, clean: 0.8, result } };
    });
    const report = await reportOf(runs);
    expect(tableOf(report, "success-table").cells).toEqual([
      ["gcn", "nettack", "50% of the degree", "62.5 ± 12.5", "2", "3.0 s", "2"],
    ]);
    const figure = figuresOf(report).find(({ id }) => id === "local-margins");
    const medians = figure?.chart.rows.map(({ when, median }) => [when, median]);
    expect(medians).toEqual([
      ["before", 0.7],
      ["after", -0.2],
    ]);
    expect(report.summary[0]).toContain(
      "nettack on gcn makes most wrong: 62.5% with a budget of 50% of the degree each",
    );
    expect(await html(report)).toContain("Attacks on single nodes");
  });
  test("list what else was measured", async () => {
    const run = madeRun({ value: 0.12345, change: (cell) => ({ ...cell, quantity: "hidden-shift" }) });
    const report = await reportOf([run, madeRun({ value: 0.4 })]);
    expect(tableOf(report, "other-table").cells).toEqual([
      ["hidden-shift", "cora_ml", "gcn", "prbcd", "10% of the edges", "0.1235", "1"],
    ]);
    expect(tableOf(report, "accuracy-table").cells.at(-1)?.slice(0, 3)).toEqual(["prbcd", "10%", "40.0"]);
  });
  test("compare several datasets and models with other hyperparameters", async () => {
    const wide = (value: number) =>
      madeRun({ value, change: (cell) => ({ ...cell, model: { name: "gcn", hyperparameters: { dropout: 0.9 } } }) });
    const report = await reportOf([madeRun({ value: 0.4 }), wide(0.5), madeRun({ value: 0.3, dataset: "pubmed" })]);
    expect(tableOf(report, "accuracy-table").columns.map(({ title }) => title)).toEqual([
      "dataset",
      "attack",
      "budget",
      "gcn dropout=0.5",
      "gcn dropout=0.9",
      "seeds",
    ]);
    expect(report.summary.some((text) => text.startsWith("On pubmed"))).toBe(true);
  });
});

test("a study that is half finished is reported, and it is said how much is missing", async () => {
  const [first, ...others] = madeStudy();
  const report = await reportOf(others, { waiting: [first] });
  expect(report.notices).toEqual(["This report is partial: 29 of 30 runs are done; 1 is still to be measured."]);
  expect(await html(report)).toContain("This report is partial: 29 of 30 runs are done");
});

describe("a page", () => {
  const nasty = `<script>alert("x")</script><img src=x onerror=alert(1)>`;

  test("never takes the text of a user for markup", async () => {
    const runs = madeStudy({ dataset: nasty, classes: [nasty, `"><b>`] });
    const page = await html(await reportOf(runs, { study: nasty, options: { command: nasty } }));
    const shown = page.replaceAll(/href="data:[^"]*"/g, ""); // links hold files, not markup
    expect(shown.match(/<script|<img|<b>/g)).toBeNull(); // not toMatch: a failure would print the whole page
    expect(shown.includes("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;")).toBe(true);
  });
  test("loads nothing, runs nothing, and adapts to dark pages and paper", async () => {
    const page = await html(await reportOf(madeStudy()));
    const addresses = Array.from(page.matchAll(/(?:src|href|action|data)="([^"]*)"/g), ([, address]) => address);
    for (const address of addresses) expect(address).toMatch(/^(#|data:)/);
    expect(page.match(/<script|@import|url\((?!#)/g)).toBeNull();
    for (const media of ["prefers-color-scheme: dark", "@media print"]) expect(page.includes(media)).toBe(true);
    expect(page.includes('fill="var(--muted)"')).toBe(true);
  });
  test("has the data of every figure and table as csv, and every figure as SVG", async () => {
    const report = await reportOf(madeStudy());
    const page = await html(report);
    const files = new Map(
      Array.from(page.matchAll(/<a href="(data:[^"]*)" download="([^"]*)"/g), ([, address, name]) => [
        name,
        contentOf(address),
      ]),
    );
    for (const { id, chart } of figuresOf(report)) {
      const [head, ...lines] = files.get(`${id}.csv`)!.trim().split("\n");
      expect(lines).toHaveLength(chart.rows.length);
      expect(parseCsvLine(head)).toEqual(Object.keys(chart.rows[0]));
      expect(files.get(`${id}.svg`)).toMatch(/^<svg/);
    }
    expect(files.get("accuracy-over-budget.csv")).toContain("strong,gcn,0.1,0.41");
    expect(files.get("accuracy-table.csv")).toContain('strong,10%,"41.0 ± 0.6"');
  });
});

/** What a data: address holds. */
function contentOf(address: string): string {
  const [kind, content] = address.split(",");
  return kind.endsWith("base64") ? Buffer.from(content, "base64").toString("utf8") : decodeURIComponent(content);
}

describe("Markdown", () => {
  test("has tables, and figures with their data in files beside it", async () => {
    const files = await REPORT_FORMATS["md"](await reportOf(madeStudy()), "my report");
    const text = files.get("my report.md")!;
    expect(text).toContain("| strong | 10% | 41.0 ± 0.6 | 51.3 ± 0.7 | 3 |");
    for (const [, link] of text.matchAll(/\]\(([^)]*)\)/g)) expect([...files.keys()]).toContain(decodeURI(link));
  });
  test("takes no text of a user for markup", async () => {
    const files = await REPORT_FORMATS["md"](await reportOf(madeStudy({ dataset: "<b>[x](y)|*" })), "r");
    expect(files.get("r.md")).toContain(String.raw`\<b\>\[x\](y)\|\*`);
    expect(files.get("r.md")).not.toMatch(/[^\\]<b/);
  });
});

describe("LaTeX", () => {
  test("has tables, and figures that exist", async () => {
    const files = await REPORT_FORMATS["tex"](await reportOf(madeStudy()), "my_report");
    const text = files.get("my_report.tex")!;
    expect(text).toContain(String.raw`strong & 10\% & 41.0 $\pm$ 0.6 & 51.3 $\pm$ 0.7 & 3 \\`);
    const inputs = Array.from(text.matchAll(/\\input\{([^}]*)\}/g), ([, file]) => file);
    expect(inputs).toHaveLength(15);
    for (const file of inputs) expect(files.get(file)).toMatch(/^\\begin\{pgfpicture\}/);
    expect(balanced(text)).toBe(true);
    for (const file of inputs) expect(balanced(files.get(file)!)).toBe(true);
  });
  test("takes no text of a user for a command, and prints a question mark for letters that it has not", async () => {
    const files = await REPORT_FORMATS["tex"](await reportOf(madeStudy({ dataset: String.raw`\input{x}_%图` })), "r");
    expect(files.get("r.tex")).toContain(String.raw`\textbackslash{}input\{x\}\_\%?`);
  });
});

/** Whether every brace has its partner, those that are printed aside. */
function balanced(tex: string): boolean {
  const braces = tex.replaceAll(/\\[{}\\]/g, "").replaceAll(/[^{}]/g, "");
  let depth = 0;
  for (const brace of braces) {
    depth += brace === "{" ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
