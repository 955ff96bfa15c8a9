import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { JOURNAL_FILE } from "./journal.ts";
import { StoreWriter, writeStore } from "./store-writer.ts";

const facts = {
  name: "tiny",
  numNodes: 0,
  numEntries: 0,
  numFeatures: 0,
  numClasses: 0,
  directed: true,
  splits: [],
};
const always = { journalBytes: 0 };

describe("StoreWriter", () => {
  test("goes on from the last position, as if nothing had happened in between", async () => {
    const folder = join(temporaryFolder(), "a.store");
    const first = await StoreWriter.open(folder, { make: 1 }, always);
    first.part("columns", "i32").append(Int32Array.of(1, 2));
    await first.reached({ row: 2 });
    first.part("columns", "i32").append(Int32Array.of(666));
    first.part("labels", "i32").append(Int32Array.of(666));
    await first.close(); // as a kill would
    const second = await StoreWriter.open(folder, { make: 1 }, always);
    expect(second.position).toEqual({ row: 2 });
    expect(readdirSync(folder).sort()).toEqual(["columns.i32", JOURNAL_FILE]);
    second.part("columns", "i32").append(Int32Array.of(3));
    await second.finish(facts);
    expect(readdirSync(folder).sort()).toEqual(["columns.i32", "store.json"]);
    expect(columnsOf(folder)).toEqual([1, 2, 3]);
  });
  test("keeps parts that nobody asked for again", async () => {
    const folder = join(temporaryFolder(), "a.store");
    const first = await StoreWriter.open(folder, {}, always);
    first.part("columns", "i32").append(Int32Array.of(7));
    await first.save({ row: 1 });
    first.part("columns", "i32").append(Int32Array.of(666));
    await first.close();
    const second = await StoreWriter.open(folder, {}, always);
    await second.save({ row: 1 });
    await second.finish(facts);
    expect(columnsOf(folder)).toEqual([7]);
  });
  test("leaves scratch out of the header and out of the folder", async () => {
    const folder = join(temporaryFolder(), "a.store");
    const writer = await StoreWriter.open(folder, {});
    writer.part("scratch.bucket", "i32").append(Int32Array.of(1));
    writer.part("columns", "i32").append(Int32Array.of(1));
    await writer.finish(facts);
    expect(readdirSync(folder).sort()).toEqual(["columns.i32", "store.json"]);
  });
  test("is done if it was killed between the header and the removal of the journal", async () => {
    const folder = join(temporaryFolder(), "a.store");
    const writer = await StoreWriter.open(folder, { make: 1 });
    writer.part("columns", "i32").append(Int32Array.of(1));
    await writer.save({});
    const journal = readFileSync(join(folder, JOURNAL_FILE));
    await writer.finish(facts);
    writeFileSync(join(folder, JOURNAL_FILE), journal);
    writeFileSync(join(folder, "scratch.bucket.0.i32"), "left over");
    await writeStore(folder, { make: 1 }, {}, () => Promise.reject(new Error("called for nothing")));
    expect(readdirSync(folder).sort()).toEqual(["columns.i32", "store.json"]);
  });
  test("stops at a position when it is asked to, and keeps it", async () => {
    const folder = join(temporaryFolder(), "a.store");
    const stopped = writeStore(folder, {}, { signal: { aborted: true } }, async (writer) => {
      writer.part("columns", "i32").append(Int32Array.of(1));
      await writer.reached({ row: 1 });
      return facts;
    });
    await expect(stopped).rejects.toThrow("interrupted: run the same command again to go on from here");
    const again = await StoreWriter.open(folder, {});
    expect(again.position).toEqual({ row: 1 });
    await again.close();
  });
});

describe("StoreWriter refuses", () => {
  test("a second writer while the first is at work, and nobody after it", async () => {
    const folder = join(temporaryFolder(), "a.store");
    const write = (work: () => Promise<void>) =>
      writeStore(folder, {}, {}, async () => {
        await work();
        return facts;
      });
    await write(async () => {
      const second = write(async () => {});
      await expect(second).rejects.toThrow(`${folder}: process ${process.pid} is writing it; wait for it to end`);
    });
    expect(readdirSync(join(folder, "..")).sort()).toEqual(["a.store"]);
    await expect(write(async () => {})).rejects.toThrow("is a graph store already");
  });
  test("a folder with something else, a finished store and an unfinished one of another task", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "thesis.tex"), "important");
    await expect(StoreWriter.open(folder, {})).rejects.toThrow(`${folder}: holds something else; remove it or`);
    const store = join(temporaryFolder(), "a.store");
    const writer = await StoreWriter.open(store, { make: 1 });
    await writer.save({});
    await expect(StoreWriter.open(store, { make: 2 })).rejects.toThrow(
      `${store}: holds an unfinished store of {"make":1}; remove it or choose another place`,
    );
    await writer.finish(facts);
    await expect(StoreWriter.open(store, { make: 1 })).rejects.toThrow(`${store}: is a graph store already`);
  });
  test("a damaged journal", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, JOURNAL_FILE), '{"format": "rgnn graph store, unfinished"');
    await expect(StoreWriter.open(folder, {})).rejects.toThrow("journal.json: is cut off or not JSON");
  });
  test("a place where nothing can be made", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    await expect(StoreWriter.open(join(file, "a.store"), {})).rejects.toThrow(
      /a\.store: cannot be written \(E(NOTDIR|EXIST)\)/,
    );
    const folder = temporaryFolder();
    mkdirSync(join(folder, "taken"));
    await expect(StoreWriter.open(folder, {})).rejects.toThrow("holds something else");
  });
});

function columnsOf(folder: string): number[] {
  const bytes = readFileSync(join(folder, "columns.i32"));
  return [...new Int32Array(new Uint8Array(bytes).buffer)];
}
