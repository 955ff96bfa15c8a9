import { type Browser, chromium } from "playwright-core";

/** What the packaged Chromium runs on. */
export const hasChromium = process.platform === "linux" && process.arch === "x64";

/** The packaged Chromium, with WebGL in software. */
export async function launchChromium(): Promise<Browser> {
  const { default: packaged } = await import("@sparticuz/chromium");
  return chromium.launch({
    executablePath: await packaged.executablePath(),
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
  });
}
