import { readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { finishedPart, type PartState, PartWriter } from "./part-writer.ts";
import { CHECKED_BYTES } from "./store-header.ts";

const empty: PartState = { file: "columns.i32", type: "i32", bytes: 0, checksums: [], running: 0 };

describe("PartWriter", () => {
  test("writes numbers little-endian, through its buffer or past it", () => {
    const folder = temporaryFolder();
    const part = new PartWriter(folder, empty, 8);
    part.append(Int32Array.of(1));
    part.append(Int32Array.of(-2, 3, 4));
    part.append(Int32Array.of(5));
    expect(part.bytes).toBe(20);
    const state = part.state();
    part.close();
    const bytes = readFileSync(join(folder, "columns.i32"));
    expect([...new Int32Array(new Uint8Array(bytes).buffer)]).toEqual([1, -2, 3, 4, 5]);
    expect(finishedPart(state)).toEqual({ file: "columns.i32", type: "i32", length: 5, checksums: [crc32(bytes)] });
  });
  test("has a checksum for each block, however the pieces fall", () => {
    const folder = temporaryFolder();
    const bytes = Uint8Array.from({ length: 3 * 2 ** 20 }, (_, k) => k % 251);
    const part = new PartWriter(folder, { ...empty, file: "names.u8", type: "u8" });
    while (part.bytes < CHECKED_BYTES + 5) part.append(bytes);
    const { checksums } = finishedPart(part.state());
    part.close();
    const whole = readFileSync(join(folder, "names.u8"));
    expect(checksums).toEqual([crc32(whole.subarray(0, CHECKED_BYTES)), crc32(whole.subarray(CHECKED_BYTES))]);
  });
  test("goes on from a state, without what was written after it", () => {
    const folder = temporaryFolder();
    const first = new PartWriter(folder, empty);
    first.append(Int32Array.of(1, 2));
    const state = first.state();
    first.append(Int32Array.of(666));
    first.state();
    first.close();
    const second = new PartWriter(folder, state);
    second.append(Int32Array.of(3));
    const { checksums } = finishedPart(second.state());
    second.close();
    const bytes = readFileSync(join(folder, "columns.i32"));
    expect([...new Int32Array(new Uint8Array(bytes).buffer)]).toEqual([1, 2, 3]);
    expect(checksums).toEqual([crc32(bytes)]);
  });
  test("refuses to go on with a file that became shorter", () => {
    const folder = temporaryFolder();
    const part = new PartWriter(folder, empty);
    part.append(Int32Array.of(1, 2));
    const state = part.state();
    part.close();
    truncateSync(join(folder, "columns.i32"), 3);
    expect(() => new PartWriter(folder, state)).toThrow(
      "columns.i32: has 3 bytes, its journal says 8; remove the folder and start again",
    );
  });
});
