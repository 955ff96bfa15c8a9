import { spawnSync } from "node:child_process";
import { test } from "vitest";

const hasNumpy = spawnSync("python3", ["-c", "import numpy, scipy.sparse"]).status === 0;

/** `test` for what compares with NumPy and SciPy; reported as skipped, with the reason, where they are missing. */
export function testWithNumpy(title: string, body: () => unknown): void {
  if (hasNumpy) test(title, body as () => void);
  else test.skip(`${title} (skipped: no python3 with numpy and scipy on this machine)`, body as () => void);
}

/** What a Python program prints. */
export function python(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync("python3", ["-c", program, ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}
