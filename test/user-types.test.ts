import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readDeclarations } from "../scripts/api/declarations.ts";
import { docExamples, exampleModule } from "../scripts/api/examples.ts";
import { blocksOf, guidePages, programOf } from "./support/guide.ts";
import { stageProject } from "./support/staged-project.ts";

const { resolve } = createRequire(import.meta.url);
const compilers = { "5.5": "typescript-5.5", 7: "typescript" };

/** Options of programs that are checked as strictly as TypeScript can, the declarations of the package included. */
const strict = {
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  target: "ES2022",
  types: [],
};

/** What a program may have around it. Nothing in the declarations may need the types of browsers or of Node. */
const surroundings = [
  { lib: ["ES2022"], module: "NodeNext", moduleResolution: "NodeNext" },
  { lib: ["ES2022", "DOM"], module: "ESNext", moduleResolution: "Bundler" },
];

/** What examples in doc comments take for granted. */
const given = {
  backend: "Backend",
  bytes: "Uint8Array",
  console: "{ log(...values: unknown[]): void }",
  constants: "Constants",
  event: "{ readonly dataTransfer: { readonly files: Iterable<DroppedFile> } }",
  file: "DroppedFile",
  graph: "Graph",
  input: "{ readonly files: Iterable<DroppedFile> }",
  model: "Model",
  split: "Split",
  test: "Int32Array",
  view: "GraphView",
  W: "Tensor",
  X: "Tensor",
};

describe("the types of the packed package", () => {
  const declarations = readDeclarations();
  const examples = docExamples(declarations);
  const programs = guidePages
    .map((name) => ({ name, program: programOf(blocksOf(name)) }))
    .filter(({ program }) => program !== "");
  const entries = [...declarations.entries.keys()];
  let project: ReturnType<typeof stageProject>;

  beforeAll(() => {
    project = stageProject();
    const everything = entries.map((entry, i) => `export * as entry${i} from "${entry}";\n`);
    writeFileSync(join(project.folder, "everything.ts"), everything.join(""));
    mkdirSync(join(project.folder, "examples"));
    for (const [i, example] of examples.entries()) {
      const file = join(project.folder, "examples", `${i}-${example.name}.ts`);
      writeFileSync(file, exampleModule(declarations, example, given));
    }
    mkdirSync(join(project.folder, "guide"));
    for (const { name, program } of programs) writeFileSync(join(project.folder, "guide", `${name}.ts`), program);
  });
  afterAll(() => project.remove());

  /** What the compiler complains about in these files. */
  async function complaints(compiler: string, files: string[], options: object): Promise<string> {
    const config = join(project.folder, "tsconfig.json");
    writeFileSync(config, JSON.stringify({ compilerOptions: { ...strict, ...options }, include: files }));
    const script = join(dirname(resolve(`${compiler}/package.json`)), "bin/tsc");
    const run = promisify(execFile)(process.execPath, [script, "-p", config]);
    return run.then(
      () => "",
      ({ stdout, stderr }) => stdout + stderr,
    );
  }

  for (const [version, compiler] of Object.entries(compilers)) {
    test.each(surroundings)(`are sound for TypeScript ${version} with $lib and $moduleResolution`, async (around) => {
      expect(await complaints(compiler, ["everything.ts"], around)).toBe("");
    });
    test(`let the examples of doc comments compile with TypeScript ${version}`, async () => {
      expect(examples.length).toBeGreaterThan(20);
      expect(await complaints(compiler, ["examples"], surroundings[0])).toBe("");
    });
    test(`let the programs of the guide compile with TypeScript ${version}`, async () => {
      expect(programs.length).toBeGreaterThan(3);
      const relaxed = { ...surroundings[1], noUncheckedIndexedAccess: false }; // as most projects have it
      expect(await complaints(compiler, ["guide"], relaxed)).toBe("");
    });
  }

  test("would be caught if they were wrong", async () => {
    writeFileSync(join(project.folder, "wrong.ts"), 'import { train } from "rgnn";\ntrain(1);\n');
    expect(await complaints(compilers["5.5"], ["wrong.ts"], surroundings[0])).toContain("Expected 4-5 arguments");
  });
});
