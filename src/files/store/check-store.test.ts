import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { randomGraph } from "../../../test/support/any-graph.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { checkSizes, checkStore } from "./check-store.ts";
import { formatChecked } from "./checked-json.ts";
import { readStoreHeader } from "./read-store-header.ts";
import { CHECKED_BYTES, GRAPH_STORE } from "./store-header.ts";
import { StoreWriter } from "./store-writer.ts";
import { writeGraphStore } from "./write-graph-store.ts";

async function smallStore(): Promise<string> {
  const folder = join(temporaryFolder(), "a.store");
  const all = Int32Array.from({ length: 20 }, (_, node) => node);
  const splits = { public: { train: all.slice(0, 5), val: all.slice(5, 10), test: all.slice(10) } };
  await writeGraphStore(randomGraph(20, 0.3, 1), folder, { splits, features: "i8" });
  return folder;
}

describe("checkStore", () => {
  test("finds nothing wrong with a store that was just written", async () => {
    const { damage, bytes, header } = await checkStore(await smallStore());
    expect(damage).toEqual([]);
    expect(bytes).toBe(8 * 21 + 4 * header.numEntries + 20 * 3 + 4 * 20 + 4 * 20 + 4 * 20);
  });
  test("names every part that was changed, cut off, made longer or removed", async () => {
    const parts = Object.entries(readStoreHeader(await smallStore()).parts);
    expect(parts.map(([name]) => name)).toContain("scales");
    for (const [name, { file }] of parts) {
      const spoil: [RegExp, (path: string) => void][] = [
        [/was changed, bytes 0 to \d+ have a wrong checksum$/, flipBit],
        [/is cut off, it has \d+ bytes and its header says \d+$/, (path) => truncateSync(path, 3)],
        [/is too long, it has \d+ bytes and its header says \d+$/, (path) => appendFileSync(path, "!")],
        [/is missing; its header says \d+ bytes$/, (path) => rmSync(path)],
      ];
      for (const [expected, change] of spoil) {
        const folder = await smallStore();
        const path = join(folder, file);
        change(path);
        const { damage } = await checkStore(folder);
        expect(damage.map(({ part }) => part)).toEqual([name]);
        expect(damage[0].message).toMatch(expected);
        expect(damage[0].message.startsWith(`${path}: `)).toBe(true);
      }
    }
  });
  test("names the bytes of the block that is wrong in a part of several", async () => {
    const folder = join(temporaryFolder(), "large.store");
    const writer = await StoreWriter.open(folder, {});
    const piece = new Int32Array(2 ** 20).fill(7);
    for (let k = 0; k < 2 * (CHECKED_BYTES / piece.byteLength) + 1; k++) writer.part("columns", "i32").append(piece);
    const facts = { name: "x", numNodes: 0, numEntries: 0, numFeatures: 0, numClasses: 0, directed: true, splits: [] };
    await writer.finish(facts);
    const bytes = readFileSync(join(folder, "columns.i32"));
    bytes[CHECKED_BYTES + 17] ^= 1;
    writeFileSync(join(folder, "columns.i32"), bytes);
    const { damage } = await checkStore(folder);
    expect(damage).toEqual([
      {
        part: "columns",
        begin: CHECKED_BYTES,
        end: 2 * CHECKED_BYTES,
        message: `${join(folder, "columns.i32")}: was changed, bytes 67108864 to 134217728 have a wrong checksum`,
      },
    ]);
  });
  test("says what is no store, and what is none yet", async () => {
    const folder = temporaryFolder();
    await expect(checkStore(folder)).rejects.toThrow(`${folder}: is no graph store, it has no store.json`);
    const writer = await StoreWriter.open(join(folder, "b.store"), {});
    await writer.close();
    await expect(checkStore(join(folder, "b.store"))).rejects.toThrow("is unfinished; run the command that makes it");
  });
});

describe("checkSizes", () => {
  test("finds a part of the wrong size without reading it", async () => {
    const folder = await smallStore();
    checkSizes(folder, readStoreHeader(folder));
    truncateSync(join(folder, "labels.i32"), 79);
    expect(() => checkSizes(folder, readStoreHeader(folder))).toThrow("labels.i32: is cut off, it has 79 bytes");
  });
  test("finds a header that belongs to other parts", async () => {
    const folder = await smallStore();
    const header = readStoreHeader(folder);
    const other = { ...header.parts.labels, length: 21 };
    writeFileSync(
      join(folder, "store.json"),
      formatChecked(GRAPH_STORE, { ...header, parts: { ...header.parts, labels: other } }),
    );
    expect(() => checkSizes(folder, readStoreHeader(folder))).toThrow("its header says 84");
  });
});

function flipBit(path: string): void {
  const bytes = readFileSync(path);
  bytes[bytes.length - 1] ^= 1;
  writeFileSync(path, bytes);
}
