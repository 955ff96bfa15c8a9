import { type Browser, chromium as playwright } from "playwright-core";

/** Whether the packaged Chromium runs here. */
export const hasChromium = process.platform === "linux" && process.arch === "x64";

/** Starts the Chromium of the package @sparticuz/chromium; the caller closes it. */
export async function openChromium(args: readonly string[] = []): Promise<Browser> {
  const { default: packaged } = await import("@sparticuz/chromium");
  return playwright.launch({ executablePath: await packaged.executablePath(), args: ["--no-sandbox", ...args] });
}
