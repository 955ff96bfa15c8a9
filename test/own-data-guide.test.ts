import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeFiles } from "./support/small-graph-files.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const root = join(import.meta.dirname, "..");
const guide = readFileSync(join(root, "docs", "guide", "own-data.md"), "utf8");

/** Blocks of code: those with a file name are files, those of the shell are commands. */
const blocks = [...guide.matchAll(/^```(\w+) ?(\S*)\n([\s\S]*?)^```$/gm)].map(([, kind, file, text]) => ({
  kind,
  file,
  text,
}));

test("the files and commands of the guide to one's own data work", { timeout: 120_000 }, () => {
  const folder = temporaryFolder();
  const files = blocks.filter(({ file }) => file !== "");
  writeFiles(Object.fromEntries(files.map(({ file, text }) => [file, new TextEncoder().encode(text)])), folder);
  const commands = blocks.filter(({ kind }) => kind === "sh").flatMap(({ text }) => text.trim().split("\n"));
  expect(commands.length).toBeGreaterThan(10);
  for (const command of commands) {
    const args = command.split(" ").slice(1);
    const options = { cwd: folder, encoding: "utf8" } as const;
    const { status, stderr } = spawnSync(process.execPath, [join(root, "src", "cli", "main.ts"), ...args], options);
    expect({ command, status, stderr: status === 0 ? "" : stderr }).toEqual({ command, status: 0, stderr: "" });
  }
});
