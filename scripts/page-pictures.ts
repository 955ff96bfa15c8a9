// Takes the pictures of the docs: the pages as they are built, in the packaged Chromium. Run it after `npm run build`:
//
//     node scripts/page-pictures.ts
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { startServer } from "../src/serve/start-server.ts";
import { openChromium, WEBGL } from "../test/support/chromium.ts";
import { buildPage } from "./web.ts";

const root = join(import.meta.dirname, "..");
const pictures = join(root, "docs/pictures");
/** Size of the largest picture: they are kept in the repository. */
const MOST_BYTES = 200_000;
const desktop = { width: 1200, height: 750 };
const phone = { width: 390, height: 844 };

const study = `name: which-model-holds-out
datasets: synthetic-citation
models:
  - { name: gcn, hidden: [16], maxEpochs: 60 }
  - { name: sgc, maxEpochs: 60 }
  - { name: linear-gcn, maxEpochs: 60 }
attacks: [{ name: prbcd, preset: paper, blockSize: 5000, epochs: 10, fineTuneEpochs: 2 }]
epsilons: [0.02, 0.05, 0.1]
seeds: [0, 1]
`;

/** Each picture: its name, the size of the page, its theme, and what is done before it is taken. */
interface Shot {
  readonly name: string;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme: "light" | "dark";
  readonly prepare: (page: Page) => Promise<void>;
}

async function attack(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Train and attack" }).click();
  await page.getByRole("region", { name: "Accuracy over the budget" }).waitFor({ timeout: 120_000 });
  await page.locator(".graph-canvas[data-laid-out]").waitFor({ timeout: 60_000 });
  await page.waitForTimeout(500);
}

async function attackNode(page: Page): Promise<void> {
  await page.evaluate(() => {
    location.hash = "#/node/17";
  });
  await page.getByRole("heading", { name: /^Node 17 is/ }).waitFor({ timeout: 60_000 });
  await page.getByRole("button", { name: "Find the fewest flips" }).click();
  await page.getByRole("heading", { name: /change/ }).waitFor({ timeout: 60_000 });
  await page.waitForTimeout(800);
}

async function runStudy(page: Page): Promise<void> {
  await page.evaluate(() => {
    location.hash = "#/studies";
  });
  await page.getByText("Start a new study").click();
  await page.getByLabel("Study file").fill(study);
  await page.getByRole("button", { name: "Plan and start" }).click();
  await page.getByText("18 of 18 runs done").waitFor({ timeout: 300_000 });
  await page.waitForTimeout(500);
}

const shots: readonly Shot[] = [
  { name: "attack-light", viewport: desktop, colorScheme: "light", prepare: attack },
  { name: "attack-dark", viewport: desktop, colorScheme: "dark", prepare: attack },
  { name: "attack-phone", viewport: phone, colorScheme: "light", prepare: attack },
  { name: "node-light", viewport: desktop, colorScheme: "light", prepare: attackNode },
  { name: "studies-light", viewport: desktop, colorScheme: "light", prepare: runStudy },
];

async function take(browser: Browser, url: string, { name, viewport, colorScheme, prepare }: Shot): Promise<void> {
  const page = await browser.newPage({ viewport, colorScheme, reducedMotion: "reduce" });
  await page.goto(url);
  await prepare(page);
  let quality = 90;
  let picture = await page.screenshot({ type: "jpeg", quality });
  while (picture.length > MOST_BYTES) picture = await page.screenshot({ type: "jpeg", quality: (quality -= 5) });
  await page.close();
  writeFileSync(join(pictures, `${name}.jpg`), picture);
  console.log(`docs/pictures/${name}.jpg: ${Math.round(picture.length / 1000)} kB`);
}

const folder = mkdtempSync(join(tmpdir(), "rgnn-pictures-"));
const web = join(folder, "web");
await buildPage("dashboard", web);
const browser = await openChromium(WEBGL);
const server = await startServer({
  place: join(folder, "store.sqlite"),
  artefacts: join(folder, "artefacts"),
  ports: [0],
  web,
  lab: { module: new URL("../src/files/open-lab.ts", import.meta.url) },
});
try {
  mkdirSync(pictures, { recursive: true });
  const wanted = process.argv.slice(2);
  for (const shot of shots)
    if (wanted.length === 0 || wanted.includes(shot.name)) await take(browser, server.url, shot);
} finally {
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}
