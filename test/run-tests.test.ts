import { spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "./support/temporary-folder.ts";

const root = join(import.meta.dirname, "..");

/** Runs the tests of a project with these files as npm test does. */
function runTests(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "vitest.config.mjs"), "export default {};");
  for (const [name, body] of Object.entries(files)) {
    const imports = 'import { existsSync, writeFileSync } from "node:fs";\nimport { expect, test } from "vitest";\n';
    writeFileSync(join(folder, `${name}.test.js`), `${imports}test("${name}", () => {\n${body}\n});\n`);
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "scripts", "run-tests.mjs")], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });
  return { status, again: stderr.match(/The process of .*/g) ?? [], passed: stdout.match(/\d+ passed/g) ?? [] };
}

const crash = 'process.kill(process.pid, "SIGSEGV");';
const crashOnce = `if (!existsSync("mark")) { writeFileSync("mark", ""); ${crash} }`;

test("a test file whose process the system ended is run once more, and the output says so", () => {
  const { status, again, passed } = runTests({ fine: "expect(1).toBe(1);", once: crashOnce });
  expect(status).toBe(0);
  expect(again).toEqual([expect.stringMatching(/once\.test\.js was ended by SIGSEGV: run once more$/)]);
  expect(passed.at(-1)).toBe("1 passed");
});

test("a file that crashes twice fails, and so does a run in which something else is wrong", () => {
  const always = runTests({ always: crash });
  expect(always.again).toHaveLength(1);
  expect(always.status).toBe(1);
  const wrong = runTests({ once: crashOnce, wrong: "expect(1).toBe(2);" });
  expect(wrong).toMatchObject({ status: 1, again: [] });
});
