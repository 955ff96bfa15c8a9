// Runs vitest with the arguments given. If nothing fails except that a signal ended the process of a test file, that
// file is run once more, and the output says so: Node 24 crashes in garbage collection at times (nodejs/node#62393).
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const scripts = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "rgnn-tests-"));
const list = join(folder, "ended.json");

process.on("SIGINT", () => {}); // Ctrl-C is for vitest
let status = vitest([...process.argv.slice(2), "--reporter=default", `--reporter=${join(scripts, "ended-files.mjs")}`]);
const ended = existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : [];
rmSync(folder, { recursive: true });
if (ended.length > 0) {
  for (const { file, signal } of ended) console.error(`\nThe process of ${file} was ended by ${signal}: run once more`);
  status = vitest(ended.map(({ file }) => file));
}
process.exit(status);

function vitest(args) {
  const main = join(scripts, "../node_modules/vitest/vitest.mjs");
  const env = { ...process.env, RGNN_ENDED_FILES: list };
  const { status, signal } = spawnSync(process.execPath, [main, "run", ...args], { stdio: "inherit", env });
  return signal ? 130 : status;
}
