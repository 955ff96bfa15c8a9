import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";

const main = join(import.meta.dirname, "..", "..", "src", "cli", "main.ts");

function rgnn(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: "utf8" });
  return { status, stdout, lines: stderr.trim().split("\n") };
}

describe("rgnn data, as a process", () => {
  test("prints one JSON object and nothing else on stdout", () => {
    const { status, stdout } = rgnn("data", "info", "synthetic-citation", "--json");
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ name: "synthetic-citation", numNodes: 2810, directed: false });
  });
  test("exits with 2 and one line for an unknown graph", () => {
    const { status, stdout, lines } = rgnn("data", "info", "nothing");
    expect([status, stdout, lines.length]).toEqual([2, "", 1]);
    expect(lines[0]).toMatch(/^rgnn: unknown dataset "nothing"; known are /);
  });
  test("exits with 2 and one line for a damaged parquet file", () => {
    const path = join(temporaryFolder(), "edges.parquet");
    writeFileSync(path, "PAR1 and nothing else");
    const { status, lines } = rgnn("data", "info", path);
    expect([status, lines]).toEqual([2, [`rgnn: ${path}: is not a parquet file, or it is cut off`]]);
  });
  test("exits with 2 and one line for a damaged file", () => {
    const path = join(temporaryFolder(), "damaged.npz");
    writeFileSync(path, "PK\x03\x04 and no more");
    const { status, lines } = rgnn("data", "info", path);
    expect([status, lines]).toEqual([2, [`rgnn: ${path}: is not a zip archive, or it is cut off`]]);
  });
});
