import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "./support/temporary-folder.ts";

const root = join(import.meta.dirname, "..");
const guide = readFileSync(join(root, "docs", "guide", "certificates.md"), "utf8");
const blocksOf = (kind: string) =>
  [...guide.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, name, text]) => (name === kind ? [text] : []));

test("the commands of the guide to certificates work", { timeout: 240_000 }, () => {
  const folder = temporaryFolder();
  const commands = blocksOf("sh").flatMap((text) => text.trim().split("\n"));
  expect(commands.length).toBeGreaterThan(8);
  for (const command of commands) {
    const args = command.split(" ").slice(1);
    const options = { cwd: folder, encoding: "utf8" } as const;
    const { status, stderr } = spawnSync(process.execPath, [join(root, "src", "cli", "main.ts"), ...args], options);
    expect({ command, status, stderr: status === 0 ? "" : stderr }).toEqual({ command, status: 0, stderr: "" });
  }
  expect(readFileSync(join(folder, "nodes.csv"), "utf8").split("\n")[0]).toContain("edgeDeletions");
});

test("its program prints what it says", { timeout: 120_000 }, () => {
  const [program] = blocksOf("ts");
  const file = join(temporaryFolder(), "guide.ts");
  const sources = program.replaceAll(
    /from "rgnn(\/?\w*)"/g,
    (_, entry) => `from "${join(root, "src", entry, "index.ts")}"`,
  );
  writeFileSync(file, sources);
  const { stdout, stderr } = spawnSync(process.execPath, [file], { encoding: "utf8" });
  expect({ stdout, stderr }).toEqual({ stdout: "true\n", stderr: "" });
});
