import { type Browser, chromium as playwright } from "playwright-core";

/** Whether the packaged Chromium runs here. */
export const hasChromium = process.platform === "linux" && process.arch === "x64";

/** Flags that give pages WebGL, drawn in software. */
export const WEBGL = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"];

/** Flags that give pages WebGPU, computed in software. */
export const WEBGPU = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan"];

/** Starts the Chromium of the package @sparticuz/chromium; the caller closes it. */
export async function openChromium(args: readonly string[] = []): Promise<Browser> {
  return playwright.launch(await chromiumOptions(args));
}

/** How it is started. The package's own flags would switch off the isolation that threads need. */
export async function chromiumOptions(args: readonly string[]): Promise<{ executablePath: string; args: string[] }> {
  const { default: packaged } = await import("@sparticuz/chromium");
  return { executablePath: await packaged.executablePath(), args: ["--no-sandbox", ...args] };
}
