import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { filesOf } from "../../../test/support/read-store.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { UserError } from "../../core/errors.ts";
import { SHAPES, scaleShape } from "../../graph/shapes.ts";
import { makeStore } from "./make-store.ts";

const disk = { free: Number.POSITIVE_INFINITY, code: "ENOSPC" };

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  return {
    ...fs,
    writeSync(file: number, bytes: Uint8Array, offset: number, length: number, position: number) {
      const moved = Math.min(length, disk.free);
      if (moved === 0) throw Object.assign(new Error("disk"), { code: disk.code, syscall: "write" });
      disk.free -= moved;
      return fs.writeSync(file, bytes, offset, moved, position);
    },
  };
});

const shape = scaleShape(SHAPES.arxiv, 0.3);
const options = { memory: 2 ** 20, journalBytes: 2 ** 20 };

describe("a full disk", () => {
  test("is told in one line, and the store is finished when there is room", async () => {
    const folder = temporaryFolder();
    const whole = join(folder, "whole.store");
    const path = join(folder, "again.store");
    disk.free = Number.POSITIVE_INFINITY;
    await makeStore(shape, whole, options);
    let failures = 0;
    for (let room = 2e6; ; room += 3e6) {
      disk.free = room;
      try {
        await makeStore(shape, path, options);
        break;
      } catch (error) {
        expect(error).toBeInstanceOf(UserError);
        expect((error as Error).message).toBe(
          `${path}: the disk is full; what is finished is kept: make room and run the same command again`,
        );
        failures++;
      }
    }
    expect(failures).toBeGreaterThan(2);
    expect(filesOf(path)).toEqual(filesOf(whole));
  });
  test("is not what other refusals are called", async () => {
    disk.free = 0;
    disk.code = "EIO";
    const path = join(temporaryFolder(), "a.store");
    await expect(makeStore(shape, path, options)).rejects.toThrow(
      `${path}: cannot be written (EIO); choose another place`,
    );
  });
});
