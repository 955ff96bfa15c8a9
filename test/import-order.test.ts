import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { importsOf } from "../src/experiment/study/imports-of.ts";

const ORDER = [
  "core",
  "graph",
  "backend",
  "data",
  "ppr",
  "tensor",
  "nn",
  "attack",
  "defense",
  "certify",
  "lab",
  "files",
  "experiment",
  "report",
  "bench",
  "serve",
  "cli",
  "web",
];
const root = join(dirname(fileURLToPath(import.meta.url)), "..", "src");
const kernels = join("backend", "wasm", "assembly"); // AssemblyScript, a language of its own

/** Source files below `src/`, as paths relative to it; tests may import what they like. */
function sourceFiles(): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".test.ts") && !file.startsWith(kernels))
    .sort();
}

function folderOf(file: string): string {
  return file.split(sep)[0];
}

/** What is wrong with importing `specifier` from `file`; nothing if it is a package or points the right way. */
function complaint(file: string, specifier: string): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  const target = relative(root, join(root, dirname(file), specifier));
  const from = ORDER.indexOf(folderOf(file));
  const to = ORDER.indexOf(folderOf(target));
  if (to < 0) return `${file} imports ${specifier}, which is not in a folder of src/`;
  if (to > from) return `${file} imports ${specifier}: ${ORDER[from]} comes before ${ORDER[to]}`;
  return undefined;
}

describe("import order", () => {
  test("knows every folder of src/", () => {
    const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const { name } of folders) expect(ORDER).toContain(name);
  });
  test("has only imports from the same folder or from one earlier in the list", () => {
    const complaints = sourceFiles()
      .filter((file) => file !== "index.ts") // the public surface re-exports everything
      .flatMap((file) => importsOf(readFileSync(join(root, file), "utf8")).map((path) => complaint(file, path)));
    expect(complaints.length).toBeGreaterThan(20);
    expect(complaints.filter((text) => text !== undefined)).toEqual([]);
  });
  test("would catch an import that points the wrong way, in every form an import can have", () => {
    const source = `
      import { a } from "../nn/a.ts";
      import type { B } from '../nn/b.ts';
      export * from "../nn/c.ts";
      import "../nn/d.ts";
      const e = await import("../nn/e.ts");`;
    const found = importsOf(source).map((path) => complaint(join("graph", "csr.ts"), path));
    expect(found).toHaveLength(5);
    for (const text of found) expect(text).toContain("graph comes before nn");
    expect(complaint(join("nn", "ops", "a.ts"), "../../graph/csr.ts")).toBeUndefined();
    expect(complaint(join("nn", "a.ts"), "node:fs")).toBeUndefined();
    expect(complaint(join("nn", "a.ts"), "../../test/support/any-graph.ts")).toContain("not in a folder of src/");
  });
});
