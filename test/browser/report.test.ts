import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openRunStore } from "../../src/experiment/store/open-run-store.ts";
import { buildReport } from "../../src/report/build-report.ts";
import { readResults } from "../../src/report/results/read-study.ts";
import { writeReport } from "../../src/report/write-report.ts";
import { hasChromium, openChromium } from "../support/chromium.ts";
import { madeStudy } from "../support/report-runs.ts";
import { sharedFolder } from "../support/temporary-folder.ts";

const NASTY = `<script>alert("x")</script><img src=x onerror=alert(1)>`;
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

describe.runIf(hasChromium)("a report in Chromium", { timeout: 120_000 }, () => {
  const folder = sharedFolder();
  let browser: Browser;

  beforeAll(async () => {
    await write("report.html", "made", madeStudy());
    await write("nasty.html", NASTY, madeStudy({ dataset: NASTY, classes: [NASTY, "b"] }));
    browser = await openChromium();
  }, 120_000);
  afterAll(() => browser?.close());

  async function write(file: string, study: string, runs: ReturnType<typeof madeStudy>): Promise<void> {
    const store = await openRunStore(join(folder, `${file}.sqlite`));
    await store.addRuns(study, runs);
    await store.merge(runs);
    const results = await readResults(store, study).finally(() => store.close());
    const smoothed = { dataset: "cora_ml", model: "gcn", seed: 0, certified: 0.3, attacked: 0.6 };
    const bounds = [1, 5].map((budget) => ({ ...smoothed, budget, allowed: "both" as const }));
    const provenance = { command: "rgnn report made", version: "0.1.0", date: new Date(0) };
    await writeReport(buildReport(results, { ...provenance, bounds }), join(folder, file));
  }

  /** Opens a report; whatever it loads, prints or fails at fails the test. */
  async function open(file: string, width: number, colorScheme: "light" | "dark"): Promise<Page> {
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
    const page = await context.newPage();
    const noticed: string[] = [];
    page.on("console", (message) => noticed.push(message.text()));
    page.on("pageerror", ({ message }) => noticed.push(message));
    page.on("dialog", (dialog) => noticed.push(`dialog ${dialog.message()}`));
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith("file:") && !url.startsWith("data:")) noticed.push(url);
    });
    onTestFinished(async () => {
      await context.close();
      expect(noticed).toEqual([]);
    });
    await page.goto(pathToFileURL(join(folder, file)).href);
    return page;
  }

  test.each([
    ["a desktop, light", 1280, "light"],
    ["a desktop, dark", 1280, "dark"],
    ["a phone, light", 360, "light"],
    ["a phone, dark", 360, "dark"],
  ] as const)("fits %s, and axe finds no serious fault", async (_, width, scheme) => {
    const page = await open("report.html", width, scheme);
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect(widths[0]).toBeLessThanOrEqual(widths[1]);
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(background).toBe(scheme === "light" ? "rgb(255, 255, 255)" : "rgb(21, 24, 28)");
    // The policy of the page forbids scripts, those of tests too; this way around it is for tests only.
    const session = await page.context().newCDPSession(page);
    await session.send("Runtime.evaluate", { expression: axeSource });
    const found = await session.send("Runtime.evaluate", {
      expression:
        "axe.run().then(({ violations }) => JSON.stringify(violations.map(({ id, impact, nodes }) => [id, impact, nodes[0].html])))",
      awaitPromise: true,
      returnByValue: true,
    });
    const violations = JSON.parse(found.result.value) as [string, string, string][];
    expect(violations.filter(([, impact]) => impact === "serious" || impact === "critical")).toEqual([]);
  });

  test("draws every figure with marks, a name for those who do not see it, and colours of the page", async () => {
    const page = await open("report.html", 1280, "dark");
    const figures = await page.evaluate(() =>
      [...document.querySelectorAll("figure")].map((figure) => ({
        id: figure.id,
        label: figure.querySelector('[role="img"]')?.getAttribute("aria-label") ?? "",
        caption: figure.querySelector("figcaption")?.textContent ?? "",
        panels: [...figure.querySelectorAll(".panel svg")].map((svg) => svg.getBoundingClientRect().width),
        downloads: [...figure.querySelectorAll("a[download]")].map((link) => link.getAttribute("download")),
      })),
    );
    expect(figures).toHaveLength(16);
    for (const { id, label, caption, panels, downloads } of figures) {
      expect(label.length).toBeGreaterThan(30);
      expect(caption.length).toBeGreaterThan(30);
      for (const width of panels) expect(width).toBeGreaterThan(200);
      expect(downloads).toEqual([`${id}.csv`, `${id}.svg`]);
    }
    const ink = await page.evaluate(() => getComputedStyle(document.querySelector(".panel svg text")!).fill);
    expect(ink).toBe("rgb(163, 173, 185)");
  });

  test("lets its data be downloaded", async () => {
    const page = await open("report.html", 1280, "light");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.click('a[download="accuracy-over-budget.csv"]'),
    ]);
    expect(download.suggestedFilename()).toBe("accuracy-over-budget.csv");
    expect(readFileSync(await download.path(), "utf8")).toContain("strong,gcn,0.1,0.41");
  });

  test("shows markup in names as text", async () => {
    const page = await open("nasty.html", 1280, "light");
    expect(await page.textContent("h1")).toBe(`Robustness report: ${NASTY}`);
    const harmful = await page.evaluate(() => {
      const all = [...document.querySelectorAll("*")];
      const withHandlers = all.filter(({ attributes }) => [...attributes].some(({ name }) => name.startsWith("on")));
      return document.querySelectorAll("script, img, iframe, object").length + withHandlers.length;
    });
    expect(harmful).toBe(0);
  });

  test("prints on paper: light, without links, nothing wider than the page", async () => {
    const page = await open("report.html", 1280, "dark");
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize({ width: 700, height: 1000 }); // A4 within its margins
    const printed = await page.evaluate(() => ({
      background: getComputedStyle(document.body).backgroundColor,
      nav: getComputedStyle(document.querySelector("nav")!).display,
      overflow: document.documentElement.scrollWidth - innerWidth,
    }));
    expect(printed).toEqual({ background: "rgb(255, 255, 255)", nav: "none", overflow: 0 });
    const pdf = await page.pdf({ preferCSSPageSize: true });
    expect(pdf.subarray(0, 5).toString("latin1")).toBe("%PDF-");
  });
});
