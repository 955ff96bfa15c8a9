import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    testTimeout: 60_000,
    maxWorkers: 2,
    globalSetup: ["test/support/webgpu-setup.ts"],
  },
});
