import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { rgnnHere } from "./support/rgnn.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const readme = readFileSync(join(root, "README.md"), "utf8");

test("the README's example runs and prints what its comments say", () => {
  const example = /```ts\n([\s\S]*?)```/.exec(readme)![1];
  const promised = Array.from(example.matchAll(/\/\/ prints ([^:\n]+)/g), ([, text]) => text!);
  expect(promised.length).toBeGreaterThan(0);
  const folder = mkdtempSync(join(tmpdir(), "rgnn-readme-"));
  try {
    const program = join(folder, "example.ts");
    const source = pathToFileURL(join(root, "src")).href; // the sources, so that no build is needed
    writeFileSync(program, example.replace('"rgnn"', `"${source}/index.ts"`));
    const printed = execFileSync(process.execPath, ["--no-warnings", program], { encoding: "utf8" });
    expect(printed.trim().split("\n")).toEqual(promised);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the commands that README.md and CONTRIBUTING.md name exist", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: object };
  const pages = readme + readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
  const named = Array.from(pages.matchAll(/npm (?:run )?(start|test|[a-z]+(?= {2,}#))/g), ([, name]) => name!);
  expect(named.length).toBeGreaterThan(4);
  for (const name of named) expect(Object.keys(scripts)).toContain(name);
});

test("the commands of README.md and of the guide have the options that they are shown with", async () => {
  const guide = readFileSync(join(root, "docs", "guide", "pytorch-geometric.md"), "utf8");
  const lines = Array.from((readme + guide).matchAll(/^(?:npx )?rgnn ([^#\n]+)/gm), ([, line]) => line!.trim());
  expect(lines.length).toBeGreaterThan(10);
  for (const line of lines) {
    const [command, below] = line.split(" ");
    const path = command === "data" || command === "weights" ? [command, below!] : [command!];
    const { status, stdout } = await rgnnHere([...path, "--help"]);
    expect(status).toBe(0);
    for (const [flag] of line.matchAll(/--[a-z-]+/g)) expect(stdout).toContain(`${flag} `);
  }
});
