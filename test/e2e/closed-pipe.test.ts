import { spawnSync } from "node:child_process";
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
