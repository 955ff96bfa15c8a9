import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { UserError } from "../core/errors.ts";
import { checkWritable, writeAtomically } from "./write-atomically.ts";

describe("writeAtomically", () => {
  test("makes the folders it needs, replaces what was there and leaves nothing else", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "a", "b", "result.csv");
    await writeAtomically(file, "first");
    await writeAtomically(file, Uint8Array.of(104, 105));
    expect(readFileSync(file, "utf8")).toBe("hi");
    expect(readdirSync(join(folder, "a", "b"))).toEqual(["result.csv"]);
  });
  test("explains in one line what the system refuses, and leaves nothing behind", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "");
    mkdirSync(join(folder, "taken"));
    for (const place of ["file/below", "taken"]) {
      const refused = writeAtomically(join(folder, place), "text");
      await expect(refused).rejects.toThrow(UserError);
      await expect(refused).rejects.toThrow(/: cannot be written \(E[A-Z]+\); choose another place$/);
    }
    expect(readdirSync(folder).sort()).toEqual(["file", "taken"]);
  });
});

describe("checkWritable", () => {
  test("tells before the work what would fail after it", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "");
    await expect(checkWritable(join(folder, "file", "x"))).rejects.toThrow("choose another place");
    await expect(checkWritable(folder)).rejects.toThrow("is a folder; name a file in it");
    await expect(checkWritable(join(folder, "new", "x.csv"))).resolves.toBeUndefined();
    await expect(checkWritable(join(folder, "file"))).resolves.toBeUndefined();
  });
  test.runIf(process.platform === "linux")("ends where folders cannot be made at all", async () => {
    await expect(checkWritable("/proc/rgnn/x.csv")).rejects.toThrow("/proc/rgnn/x.csv: cannot be written");
  });
});
