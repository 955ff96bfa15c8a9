import { execFile, execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
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

describe.runIf(process.platform !== "win32")("writeAtomically on what is no regular file", () => {
  test("replaces the file that a link points to, and keeps the link", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "real"));
    writeFileSync(join(folder, "real", "file.csv"), "before");
    symlinkSync(join("real", "file.csv"), join(folder, "first"));
    symlinkSync("first", join(folder, "second"));
    await checkWritable(join(folder, "second"));
    await writeAtomically(join(folder, "second"), "after");
    expect(lstatSync(join(folder, "second")).isSymbolicLink()).toBe(true);
    expect(lstatSync(join(folder, "first")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, "real", "file.csv"), "utf8")).toBe("after");
    expect(readdirSync(join(folder, "real"))).toEqual(["file.csv"]);
  });
  test("makes the file that a link points to if there is none yet", async () => {
    const folder = temporaryFolder();
    symlinkSync("new.csv", join(folder, "link"));
    await writeAtomically(join(folder, "link"), "text");
    expect(lstatSync(join(folder, "link")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, "new.csv"), "utf8")).toBe("text");
  });
  test("writes into a pipe, also through a link, and leaves it a pipe", async () => {
    const folder = temporaryFolder();
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    symlinkSync("pipe", join(folder, "link"));
    await checkWritable(join(folder, "link"));
    for (const path of [pipe, join(folder, "link")]) {
      const reader = promisify(execFile)("cat", [pipe]);
      await writeAtomically(path, "through");
      expect((await reader).stdout).toBe("through");
      expect(lstatSync(pipe).isFIFO()).toBe(true);
    }
    expect(readdirSync(folder).sort()).toEqual(["link", "pipe"]);
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
