import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { chromiumOptions, hasChromium, WEBGPU } from "./test/support/chromium.ts";

const node = {
  name: "node",
  include: ["src/**/*.test.ts", "test/**/*.test.ts"],
  testTimeout: 60_000,
  hookTimeout: 60_000, // they train models too
  globalSetup: ["test/support/webgpu-setup.ts"],
};

/** The kernel suite in a page. */
const chromium = async () => ({
  name: "chromium",
  include: ["test/contract/*.browser.ts"],
  testTimeout: 60_000,
  browser: {
    enabled: true,
    headless: true,
    provider: playwright({ launchOptions: await chromiumOptions(WEBGPU) }),
    instances: [{ browser: "chromium" as const }],
    screenshotFailures: false,
  },
});

export default defineConfig(async () => ({
  test: {
    maxWorkers: 2,
    projects: [{ test: node }, ...(hasChromium ? [{ test: await chromium() }] : [])],
  },
}));
