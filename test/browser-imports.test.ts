import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { importsAtRunTime, scriptsBeside } from "../src/experiment/study/imports-of.ts";

const root = join(import.meta.dirname, "..");
const source = join(root, "src");

/** Entry points that a page may import. The others, `rgnn/files` and `rgnn/experiment`, need Node. */
const FOR_BROWSERS = [
  ".",
  "core",
  "graph",
  "backend",
  "data",
  "tensor",
  "ppr",
  "nn",
  "attack",
  "defense",
  "certify",
  "lab",
];
const FOR_NODE = ["files", "experiment"];
/** Packages that run in browsers as well. */
const PACKAGES = ["fflate", "hyparquet", "hyparquet-writer"];

const read = (file: string) => readFileSync(file, "utf8");

/** Every module that an entry point brings along, and what is wrong with the imports of each. */
function walk(entry: string, readSource = read): { files: string[]; complaints: string[] } {
  const files = new Set([entry]);
  const complaints: string[] = [];
  for (const file of files) {
    const text = readSource(file);
    for (const specifier of [...importsAtRunTime(text), ...scriptsBeside(text)]) {
      if (specifier.startsWith(".")) files.add(join(dirname(file), specifier));
      else if (!PACKAGES.includes(specifier)) complaints.push(`${relative(source, file)} imports ${specifier}`);
    }
  }
  return { files: [...files], complaints };
}

const entryFile = (name: string) => join(source, name, "index.ts");

describe("what a page can import", () => {
  test.each(FOR_BROWSERS)("rgnn/%s brings nothing of Node along", (name) => {
    const { complaints } = walk(entryFile(name));
    expect(complaints).toEqual([]);
  });
  test("is told apart from what needs Node for every entry point of the package", () => {
    const { exports } = JSON.parse(read(join(root, "package.json"))) as { exports: Record<string, unknown> };
    const names = Object.keys(exports).map((path) => path.replace(/^\.\//, ""));
    expect(names.sort()).toEqual([...FOR_BROWSERS, ...FOR_NODE, "package.json"].sort());
  });
  test("includes the scripts of worker threads", () => {
    const { files } = walk(entryFile("backend"));
    expect(files.map((file) => relative(source, file))).toContainEqual(expect.stringMatching(/browser-worker\.ts$/));
    expect(files.length).toBeGreaterThan(30);
  });
  test("would be caught importing from Node, however far down and in whatever form", () => {
    const sources: Record<string, string> = {
      "/a.ts": 'import type { Stats } from "node:fs";\nexport * from "./b.ts";\nnew URL("./d.js", import.meta.url);',
      "/b.ts": 'import { c } from "./c.ts";',
      "/c.ts": 'import { readFileSync } from "node:fs";\nconst { cpus } = await import("node:os");',
      "/d.ts": 'import "commander";',
    };
    const { complaints } = walk("/a.ts", (file) => sources[file]);
    const shown = complaints.map((text) => text.replace(/^.*\//, ""));
    expect(shown).toEqual(["d.ts imports commander", "c.ts imports node:fs", "c.ts imports node:os"]);
  });
});
