// Makes the pictures of the README from the output of commands: node scripts/pictures.ts. Takes some minutes the first
// time; results are kept in .pictures. Needs the development packages.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openChromium } from "../test/support/chromium.ts";

const root = join(import.meta.dirname, "..");
const measured = join(root, ".pictures");
const pictures = join(root, "docs", "pictures");

/** The top of the report that `npm start` writes, here with three seeds, so that it has error bars. */
async function reportPicture(): Promise<void> {
  const args = [join(root, "src", "cli", "main.ts"), "demo", "--seed", "0,1,5", "--out", measured];
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  if (status !== 0) throw new Error(`rgnn demo ended with exit code ${status}`);
  const browser = await openChromium();
  try {
    const viewport = { width: 1120, height: 1240 };
    const page = await browser.newPage({ viewport, deviceScaleFactor: 0.9, colorScheme: "light" });
    await page.goto(pathToFileURL(join(measured, "index.html")).href);
    await page.screenshot({ path: join(pictures, "report.png") });
  } finally {
    await browser.close();
  }
}

mkdirSync(pictures, { recursive: true });
await reportPicture();
