import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { build, createLogger, createServer, preview } from "vite";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { createReference } from "../../src/backend/reference/reference.ts";
import { Rng } from "../../src/core/rng.ts";
import { formatNpzGraph } from "../../src/data/writers/npz-graph.ts";
import { Gcn, gcnDefaults } from "../../src/nn/models/gcn.ts";
import { encodeWeights } from "../../src/nn/weights/weights.ts";
import { randomGraph } from "../support/any-graph.ts";
import { hasChromium, openChromium, WEBGPU } from "../support/chromium.ts";
import { stageProject } from "../support/staged-project.ts";
import type { Job, JobResult } from "./page/job.ts";
import type { page as jobsPage } from "./page/jobs.ts";

describe.runIf(hasChromium)("the packed package, bundled by Vite, in Chromium", { timeout: 180_000 }, () => {
  let browser: Browser;
  let project: ReturnType<typeof stageProject>;
  const warnings: string[] = [];

  beforeAll(async () => {
    project = stageProject("examples/browser", "test/browser/page");
    const logger = createLogger("silent");
    logger.warn = (message) => void warnings.push(message);
    const pages = ["index.html", "jobs.html"].map((file) => join(project.folder, file));
    vi.stubEnv("NODE_ENV", "production"); // or else Vite keeps quiet about what a browser does not have
    await build({
      root: project.folder,
      logLevel: "warn",
      customLogger: logger,
      // kB: the worker of the test page has both devices, models and attacks in one chunk; that it grows further should be noticed
      build: {
        rolldownOptions: { input: pages, checks: { bundlerTimings: false } }, // those warn of busy machines
        chunkSizeWarningLimit: 600,
      },
    });
    vi.unstubAllEnvs();
    browser = await openChromium(WEBGPU);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    project?.remove();
  });

  /** Opens a page of the project at `address`; whatever fails on it fails the test. */
  async function open(address: string): Promise<Page> {
    const page = await browser.newPage();
    const failures: string[] = [];
    page.on("pageerror", ({ message }) => failures.push(message));
    page.on("requestfailed", (request) => failures.push(request.url()));
    onTestFinished(async () => {
      await page.close();
      expect(failures).toEqual([]);
    });
    await page.goto(address);
    return page;
  }

  /** A page of the built project. The example's own configuration sends the headers of isolation. */
  async function openBuilt(file: string, { isolated }: { isolated: boolean }): Promise<Page> {
    const own = isolated ? {} : { configFile: false as const };
    const server = await preview({ root: project.folder, ...own, preview: { port: 0, host: "127.0.0.1" } });
    onTestFinished(() => server.close());
    const page = await open(`${server.resolvedUrls!.local[0]}${file}`);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(isolated);
    return page;
  }

  /** What the example shows once it is done. */
  async function shown(page: Page): Promise<string[]> {
    await page.waitForFunction(() => ["done", "failed"].includes(document.body.dataset["state"] ?? ""));
    return (await page.textContent("#log"))!.trim().split("\n");
  }

  function expectAttacked(lines: readonly string[], threads: number): void {
    expect(lines[0]).toBe(`${threads} threads`);
    const [, clean, attacked] = /accuracy: ([\d.]+) clean, ([\d.]+) attacked/.exec(lines.at(-1)!)!;
    expect(Number(clean)).toBeGreaterThan(0.75);
    expect(Number(attacked)).toBeLessThan(Number(clean) - 0.05);
  }

  type Asked = { page: typeof jobsPage };
  const inWorker = (page: Page, job: Job) =>
    page.evaluate((job) => (globalThis as unknown as Asked).page.inWorker(job), job);

  /** The same job in Node, with the same package. */
  async function inNode(job: Job): Promise<JobResult> {
    const { stdout } = await promisify(execFile)(process.execPath, [
      join(project.folder, "in-node.ts"),
      JSON.stringify(job),
    ]);
    return JSON.parse(stdout);
  }

  test("is bundled without a warning", () => {
    expect(warnings).toEqual([]);
  });

  test("runs the example on one thread where the page is not isolated", async () => {
    expectAttacked(await shown(await openBuilt("index.html", { isolated: false })), 1);
  });

  test("runs the example on every core where the page is isolated", async () => {
    const page = await openBuilt("index.html", { isolated: true });
    expectAttacked(await shown(page), await page.evaluate(() => navigator.hardwareConcurrency));
  });

  test("runs the example from Vite's development server", async () => {
    const server = await createServer({
      root: project.folder,
      logLevel: "silent",
      server: { port: 0, host: "127.0.0.1" },
    });
    onTestFinished(() => server.close());
    await server.listen();
    const page = await open(server.resolvedUrls!.local[0]);
    expectAttacked(await shown(page), await page.evaluate(() => navigator.hardwareConcurrency));
  });

  test("trains and attacks with threads to the very flips that Node finds", async () => {
    const job: Job = { device: "wasm", threads: 3, attack: true };
    const expected = await inNode(job);
    const page = await openBuilt("jobs.html", { isolated: true });
    expect(await inWorker(page, job)).toEqual({ result: expected });
    const onThePage = page.evaluate((job) => (globalThis as unknown as Asked).page.onThePage(job), job);
    expect(await onThePage).toEqual(expected);
  });

  test("finds the same flips on one thread, and says what more threads need", async () => {
    const page = await openBuilt("jobs.html", { isolated: false });
    const expected = await inNode({ device: "wasm", threads: 3, attack: true });
    expect(await inWorker(page, { device: "wasm", attack: true })).toEqual({ result: expected });
    const { error } = await inWorker(page, { device: "wasm", threads: 3, attack: true });
    expect(error).toContain("3 threads need a page served with the headers Cross-Origin-Opener-Policy: same-origin");
  });

  test("reads a graph and weights that a user hands to the page", async () => {
    const page = await openBuilt("jobs.html", { isolated: false });
    const hand = (name: string, bytes: Uint8Array) =>
      page.setInputFiles("input", { name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) });
    const graph = randomGraph(30, 0.4, 1);
    await hand("graph.npz", formatNpzGraph(graph));
    const read = await page.evaluate(() => (globalThis as unknown as Asked).page.describeGraph());
    expect(read).toEqual({ numNodes: 30, numEntries: graph.numEntries, labels: [...graph.labels] });
    const sizes = { features: 3, classes: 2 };
    const model = new Gcn(createReference(), sizes, { ...gcnDefaults, hidden: [4] }, new Rng(0));
    await hand("w.safetensors", await encodeWeights(model, { sizes }));
    const restored = await page.evaluate(() => (globalThis as unknown as Asked).page.describeModel());
    const weight = [...(await model.parameters.get("convs.0.weight")!.read())];
    expect(restored).toEqual({ kind: "gcn", config: model.config, weight });
  });

  test("trains with WebGPU where the browser offers it, to the losses of the CPU", async ({ skip }) => {
    const page = await openBuilt("jobs.html", { isolated: true });
    const offered = await page.evaluate(async () => !!(await navigator.gpu?.requestAdapter()));
    if (!offered) skip("this Chromium offers no WebGPU adapter");
    const { result, error } = await inWorker(page, { device: "webgpu", attack: false });
    expect(error).toBeUndefined();
    const { trainLoss } = await inNode({ device: "wasm", attack: false });
    for (const [t, loss] of trainLoss.entries()) expect(result!.trainLoss[t]).toBeCloseTo(loss, 4);
  });
});
