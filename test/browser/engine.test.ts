import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type Page, chromium as playwright } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveIsolated } from "../support/isolated-server.ts";

const root = join(import.meta.dirname, "../..");

/** What the engine is asked for: see `job.mjs`. */
interface Job {
  readonly device: string;
  readonly attack: boolean;
}

/** What a page answers: losses and flips, or what went wrong. */
interface Answer {
  readonly result?: { trainLoss: number[]; sources?: number[]; targets?: number[] };
  readonly error?: string;
}

describe("the engine on a page in Chromium", () => {
  let browser: Browser;
  let page: Page;
  let server: Awaited<ReturnType<typeof serveIsolated>>;
  const reason =
    process.platform === "linux" && process.arch === "x64" ? null : "the packaged Chromium is for linux-x64";

  beforeAll(async () => {
    if (reason) return;
    server = await serveIsolated(root);
    const { default: packaged } = await import("@sparticuz/chromium");
    const gpu = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan"];
    browser = await playwright.launch({
      executablePath: await packaged.executablePath(),
      args: ["--no-sandbox", ...gpu], // the package's own flags would switch off the isolation that threads need
    });
    page = await browser.newPage();
    await page.goto(server.address);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** Runs a job in a worker of the page. */
  const onPage = (job: Job): Promise<Answer> =>
    page.evaluate(async (job) => {
      const worker = new Worker("/test/browser/page-worker.mjs", { type: "module" });
      const answer = new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
      });
      worker.postMessage({ root: "/dist", ...job });
      return answer as Promise<Answer>;
    }, job);

  /** The same in this process. */
  const inNode = async (job: Job): Promise<Answer["result"]> => {
    const { trainAndAttack } = await import(pathToFileURL(join(root, "test/browser/job.mjs")).href);
    return trainAndAttack({ root: pathToFileURL(join(root, "dist")).href, ...job });
  };

  test("trains and attacks with WebAssembly threads, to the very flips that Node finds", async ({ skip }) => {
    if (reason) skip(reason);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    const { result, error } = await onPage({ device: "wasm", attack: true });
    expect(error).toBeUndefined();
    expect(result).toEqual(await inNode({ device: "wasm", attack: true }));
  });

  test("trains with WebGPU where the browser offers it, to the losses of the CPU", { timeout: 180_000 }, async ({
    skip,
  }) => {
    if (reason) skip(reason);
    const offered = await page.evaluate(async () => !!(await navigator.gpu?.requestAdapter()));
    if (!offered) skip("this Chromium offers no WebGPU adapter");
    const { result, error } = await onPage({ device: "webgpu", attack: false });
    expect(error).toBeUndefined();
    const { trainLoss } = (await inNode({ device: "wasm", attack: false }))!;
    for (const [t, loss] of trainLoss.entries()) expect(result!.trainLoss[t]).toBeCloseTo(loss, 4);
  });
});
