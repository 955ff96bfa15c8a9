import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { buildPage } from "../../scripts/web.ts";
import { type RunningServer, startServer } from "../../src/serve/start-server.ts";
import { hasChromium, openChromium, WEBGL } from "../support/chromium.ts";
import { openPage, seriousFaults } from "../support/web-page.ts";

const lab = { module: new URL("../../src/files/open-lab.ts", import.meta.url) };

const study = `name: browser-study
datasets: synthetic-citation
models:
  - { name: gcn, hidden: [8], maxEpochs: 20 }
  - { name: mlp, hidden: [8], maxEpochs: 20 }
attacks: [dice]
epsilons: [0.05, 0.1]
seeds: [0, 1]
`;

describe.runIf(hasChromium)("the dashboard", { timeout: 120_000 }, () => {
  let browser: Browser;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "rgnn-dashboard-"));
    await buildPage("dashboard", join(folder, "web"));
    browser = await openChromium(WEBGL);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function start(name: string, port = 0): Promise<RunningServer> {
    return startServer({
      place: join(folder, `${name}.sqlite`),
      artefacts: join(folder, `${name}-artefacts`),
      ports: [port],
      web: join(folder, "web"),
      workers: 1,
      lab,
      log: () => {},
    });
  }

  async function open(server: RunningServer, hash: string, expected = /nothing/): Promise<Page> {
    return openPage(browser, `${server.url}${hash}`, { reducedMotion: "reduce", expected });
  }

  test("trains and attacks behind the server, and shows it", async () => {
    const server = await start("lab");
    onTestFinished(() => server.close());
    const page = await open(server, "#/attack");
    await page.getByRole("button", { name: "Train and attack" }).click();
    await page.getByRole("region", { name: "Accuracy over the budget" }).waitFor({ timeout: 60_000 });
    expect(await page.locator("svg.curve").getAttribute("aria-label")).toMatch(
      /^Accuracy falls from 8\d\.\d% to 6\d\.\d%/,
    );
  });

  test("takes a file that is dropped, and says why it cannot read another", async () => {
    const server = await start("files");
    onTestFinished(() => server.close());
    const page = await open(server, "#/graph");
    await page.getByRole("button", { name: /synthetic-citation/ }).waitFor();
    const drop = (name: string, text: string) =>
      page.setInputFiles('input[type="file"]', { name, mimeType: "text/plain", buffer: Buffer.from(text) });
    await drop("broken.npz", "not a zip");
    await page.getByRole("alert").getByText("broken.npz").waitFor();
    const label = (id: number) => `<data key="d">${id % 2}</data>`;
    const nodes = Array.from({ length: 12 }, (_, id) => `<node id="n${id}">${label(id)}</node>`);
    const edges = Array.from({ length: 12 }, (_, id) => `<edge source="n${id}" target="n${(id + 1) % 12}"/>`);
    const keys = '<key id="d" for="node" attr.name="label" attr.type="int"/>';
    await drop(
      "ring.graphml",
      `<graphml>${keys}<graph edgedefault="undirected">${nodes.join("")}${edges.join("")}</graph></graphml>`,
    );
    await page.getByRole("heading", { name: "ring" }).waitFor();
    await page.getByText("12 nodes, 12 edges").waitFor();
  });

  test("plans a study, shows it live to its end, and its curves, runs and failures without a fault", async () => {
    const server = await start("studies");
    onTestFinished(() => server.close());
    const page = await open(server, "#/studies", /status of 400/); // of a study file with a mistake
    await page.getByText("There is no study in this store yet").waitFor();
    await page.getByText("Start a new study").click();
    await page.getByLabel("Study file").fill("name: [");
    await page.getByRole("button", { name: "Plan and start" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Study file").fill(study);
    await page.getByRole("button", { name: "Plan and start" }).click();
    await page.waitForURL(/#\/studies\/browser-study$/);
    await page.getByText("8 of 8 runs done").waitFor({ timeout: 60_000 });
    await page.getByRole("img", { name: /synthetic-citation, dice, gcn \d/ }).waitFor();
    await page.locator(".panels svg .mark-line path").first().waitFor(); // drawn, and not by a script that the policy forbids
    expect(await page.getByRole("region", { name: "Table of runs" }).locator("tbody tr").count()).toBe(8);
    await page.getByRole("combobox", { name: "model", exact: true }).selectOption("mlp");
    await expect.poll(() => page.getByRole("region", { name: "Table of runs" }).locator("tbody tr").count()).toBe(4);
    await page.getByRole("button", { name: "Attacked" }).click();
    await page.locator('th[aria-sort="ascending"]').waitFor();
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        for (const hash of ["#/studies", "#/studies/browser-study"]) {
          await page.evaluate((hash) => (location.hash = hash), hash);
          await page.getByRole("heading", { level: 1 }).waitFor();
          expect(await seriousFaults(page), `${hash} ${colorScheme} ${viewport.width}`).toEqual([]);
        }
      }
    }
  });

  test("says that the server is gone, and goes on with the next one", async () => {
    const first = await start("restart");
    const page = await browser.newPage(); // lost connections are said on its console, which is right here
    onTestFinished(() => page.close());
    await page.goto(`${first.url}#/studies`);
    await page.getByText("There is no study in this store yet").waitFor();
    await first.close();
    await page.getByText("The server does not answer").waitFor();
    const second = await start("restart", first.port);
    onTestFinished(() => second.close());
    await page.getByText("The server does not answer").waitFor({ state: "detached", timeout: 30_000 });
    await fetch(`${second.url}api/studies`, {
      method: "POST",
      headers: { "content-type": "application/yaml" },
      body: study,
    });
    await page.getByRole("link", { name: "browser-study" }).waitFor();
  });
});
