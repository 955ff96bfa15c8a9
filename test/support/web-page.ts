import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";

/** What the page is, and the lines of its console that are no mistake of it. */
export interface PageOptions extends BrowserContextOptions {
  readonly expected?: RegExp;
}

/** Picking in software is slow, which is no mistake of the page. */
const SLOW_PICKING = /GPU stall due to ReadPixels/;

/** Opens a page; whatever fails on it, or is said on its console as a warning or an error, fails the test. */
export async function openPage(browser: Browser, address: string, given: PageOptions = {}): Promise<Page> {
  const { expected = SLOW_PICKING, ...options } = given;
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
  const complaints: string[] = [];
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("console", (line) => {
    const isComplaint = ["warning", "error"].includes(line.type());
    if (isComplaint && ![expected, SLOW_PICKING].some((known) => known.test(line.text()))) complaints.push(line.text());
  });
  onTestFinished(async () => {
    await page.close();
    expect(complaints).toEqual([]);
  });
  await page.goto(address);
  return page;
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The serious faults that axe finds on a page, each with the places where it is. */
export async function seriousFaults(page: Page): Promise<string[]> {
  const isThere = await page.evaluate(() => "axe" in globalThis);
  if (!isThere) await page.evaluate(axe); // by the debugger, which the security policy of the page does not bind
  const { violations } = await page.evaluate(() => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    return axe.run();
  });
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}
