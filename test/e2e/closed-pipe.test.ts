import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const main = join(import.meta.dirname, "..", "..", "src", "cli", "main.ts");

test("a reader that leaves early ends the command without a word", () => {
  const { status, stderr } = spawnSync(
    "bash",
    ["-c", `set -o pipefail; "${process.execPath}" "${main}" attack --help | true`],
    { encoding: "utf8" },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

test.runIf(existsSync("/dev/full"))("a full disk costs one line and exit code 1", () => {
  for (const args of ["data list", "data list --json"]) {
    const { status, stderr } = spawnSync("bash", ["-c", `"${process.execPath}" "${main}" ${args} > /dev/full`], {
      encoding: "utf8",
    });
    expect(status).toBe(1);
    expect(stderr.trim()).toBe("rgnn: the result cannot be written to stdout (ENOSPC); is the disk full?");
  }
});
