import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readDeclarations } from "../scripts/api/declarations.ts";
import { apiReports, COMMAND, REPORTS, undocumentedNames, unexportedNames } from "../scripts/api/report.ts";

const declarations = readDeclarations();
const folder = join(import.meta.dirname, "..", REPORTS);

describe("the public interface", () => {
  test(`is what ${REPORTS} says; after a change on purpose run: ${COMMAND}`, () => {
    const reports = apiReports(declarations);
    expect(readdirSync(folder).sort(), `files of ${REPORTS}; run: ${COMMAND}`).toEqual([...reports.keys()].sort());
    for (const [file, text] of reports) {
      const isSame = readFileSync(join(folder, file), "utf8") === text;
      expect(isSame, `${REPORTS}/${file} is not what the sources say; if the change is meant, run: ${COMMAND}`).toBe(
        true,
      );
    }
  });

  test("has a doc comment for every export", () => {
    expect(undocumentedNames(declarations)).toEqual([]);
  });

  test("exports every type that its signatures name", () => {
    expect(unexportedNames(declarations)).toEqual([]);
  });

  test("has nothing in rgnn that is not in an entry point of its own, too", () => {
    const [[, first], ...others] = declarations.entries;
    const elsewhere = new Set(others.flatMap(([, exports]) => [...exports.values()]));
    expect([...first].filter(([, symbol]) => !elsewhere.has(symbol)).map(([name]) => name)).toEqual([]);
    expect(first.size).toBeLessThan(150);
  });
});
