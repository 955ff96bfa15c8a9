import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectKnown } from "./support/known-command.ts";
import { printedBy, promisedLines } from "./support/program.ts";
import { shellLines } from "./support/shell-lines.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const root = join(import.meta.dirname, "..");
const readme = readFileSync(join(root, "README.md"), "utf8");

test("the README's example runs and prints what its comments say", async () => {
  const example = /```ts\n([\s\S]*?)```/.exec(readme)![1]!;
  const promised = promisedLines(example);
  expect(promised.length).toBeGreaterThan(0);
  expect(await printedBy(example, temporaryFolder())).toEqual(promised);
});

test("the commands that README.md and CONTRIBUTING.md name exist", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: object };
  const pages = readme + readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
  const named = Array.from(pages.matchAll(/npm (?:run )?(start|test|[a-z]+(?= {2,}#))/g), ([, name]) => name!);
  expect(named.length).toBeGreaterThan(4);
  for (const name of named) expect(Object.keys(scripts)).toContain(name);
});

test("the commands of README.md have the options that they are shown with", async () => {
  const blocks = Array.from(readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm), ([, text]) => text!);
  const lines = blocks.flatMap(shellLines);
  expect(lines.length).toBeGreaterThan(20);
  for (const { words } of lines) await expectKnown(words);
});
