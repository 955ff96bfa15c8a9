import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { DataError } from "../../core/errors.ts";
import { type Collection, type CollectionEntry, withStrongest } from "./collection.ts";
import { addToCollection, checkCollectionFile, readCollection, shippedCollections } from "./collection-files.ts";
import { formatCollection, parseCollection } from "./collection-format.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function entryOf(changes: Partial<CollectionEntry> = {}): CollectionEntry {
  return {
    graph: { name: "mine", sha256: "a".repeat(64) },
    split: { name: "per-class:20", seed: 0, sha256: "b".repeat(64) },
    budget: 3,
    model: "gcn",
    attack: "eva",
    accuracy: { clean: 0.8, adversarial: 0.7 },
    flips: [
      [3, 17],
      [4, 9],
    ],
    ...changes,
  };
}

const lowered = (adversarial: number, changes: Partial<CollectionEntry> = {}) =>
  entryOf({ ...changes, accuracy: { clean: 0.8, adversarial } });

describe("a collection", () => {
  test("comes back from its file as it was written, with ids that are numbers or names", () => {
    const anyId = fc.oneof(fc.nat(), fc.string());
    const anyEntry = fc
      .record({
        budget: fc.integer({ min: 20, max: 1000 }),
        model: fc.constantFrom("gcn", "gat"),
        adversarial: fc.double({ min: 0, max: 1, noNaN: true }),
        flips: fc.array(fc.tuple(anyId, anyId), { maxLength: 20 }),
      })
      .map(({ adversarial, ...changes }) => lowered(adversarial + 0, changes));
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 4 }), (entries) => {
        expect(parseCollection(bytes(formatCollection({ entries })), "c.json")).toEqual({ entries });
      }),
    );
  });

  test("has a line for each entry, which is little more than its flips", () => {
    const text = formatCollection({ entries: [entryOf(), entryOf({ budget: 4, surrogate: "sgc" })] });
    const [head, first, second, end] = text.trimEnd().split("\n");
    expect(head).toBe('{"format":"rgnn-collection","version":1,"entries":[');
    expect(first).toMatch(/"flips":\[\[3,17\],\[4,9\]\]\},$/);
    expect(second).toContain('"surrogate":"sgc"');
    expect(end).toBe("]}");
  });

  test("keeps the stronger of two entries for the same, in either order", () => {
    const [weak, strong] = [lowered(0.7), lowered(0.6, { attack: "prbcd" })];
    const upwards = withStrongest({ entries: [weak] }, strong);
    expect(upwards).toEqual({ collection: { entries: [strong] }, isKept: true, before: weak });
    const downwards = withStrongest({ entries: [strong] }, weak);
    expect(downwards).toEqual({ collection: { entries: [strong] }, isKept: false, before: strong });
    expect(withStrongest({ entries: [weak] }, weak).isKept).toBe(false); // no stronger
  });

  test("keeps entries side by side that differ in graph, split, budget or model", () => {
    const others = [
      lowered(0.9, { budget: 5 }),
      lowered(0.9, { model: "gat" }),
      lowered(0.9, { graph: { name: "mine", sha256: "c".repeat(64) } }),
      lowered(0.9, { split: { name: "per-class:20", seed: 1, sha256: "c".repeat(64) } }),
    ];
    const first: Collection = { entries: [lowered(0.1)] };
    const { entries } = others.reduce((all, entry) => withStrongest(all, entry).collection, first);
    expect(entries.length).toBe(5);
    for (const entry of others) expect(entries).toContainEqual(entry);
  });
});

describe("the file of a collection", () => {
  test("is made, and changes only for what is stronger", async () => {
    const file = join(temporaryFolder(), "sub", "mine.json");
    expect((await addToCollection(file, lowered(0.7))).isKept).toBe(true);
    const text = readFileSync(file, "utf8");
    expect((await addToCollection(file, lowered(0.75))).isKept).toBe(false);
    expect(readFileSync(file, "utf8")).toBe(text);
    expect((await addToCollection(file, lowered(0.65))).before).toEqual(lowered(0.7));
    expect(readCollection(file)).toEqual({ entries: [lowered(0.65)] });
  });

  test("is one of a folder, named after the graph", async () => {
    const folder = temporaryFolder();
    await addToCollection(folder, entryOf());
    await addToCollection(folder, entryOf({ graph: { name: "my graph/2", sha256: "d".repeat(64) } }));
    expect(existsSync(join(folder, "mine.json"))).toBe(true);
    expect(existsSync(join(folder, "my-graph-2.json"))).toBe(true);
    expect(readCollection(folder).entries.length).toBe(2);
  });

  test("is left as it was if it cannot be read", async () => {
    const file = join(temporaryFolder(), "mine.json");
    const cut = formatCollection({ entries: [entryOf()] }).slice(0, -30);
    writeFileSync(file, cut);
    await expect(addToCollection(file, entryOf())).rejects.toThrow(`${file}: is not JSON`);
    await expect(checkCollectionFile(file, "mine")).rejects.toThrow(DataError);
    expect(readFileSync(file, "utf8")).toBe(cut);
  });

  test("that is not there is an error that lists those that come with the package", () => {
    expect(() => readCollection("cora-ml")).toThrow(
      `cora-ml: there is no such file or folder, and no collection of this name; known are ${shippedCollections().join(", ")}`,
    );
    expect(() => readCollection(temporaryFolder())).toThrow("there is no .json file in this folder");
  });

  test("can be read for each name that comes with the package", () => {
    expect(shippedCollections()).toEqual(["citeseer", "cora_ml"]);
    for (const name of shippedCollections()) {
      for (const { graph, flips, budget } of readCollection(name).entries) {
        expect(graph.name).toBe(name);
        expect(flips.length).toBeLessThanOrEqual(budget);
      }
    }
  });
});

describe("a file that is no collection", () => {
  const whole = formatCollection({ entries: [entryOf()] });
  const broken: [string, string, string][] = [
    ["cut off", whole.slice(0, 100), "c.json: is not JSON"],
    ["not a number", whole.replace("0.7", "NaN"), "c.json: is not JSON"],
    ["of another kind", '{"edges":[]}', 'c.json: is no collection of flips: format must be "rgnn-collection"'],
    ["a list", "[]", "c.json must be an object, got []"],
    [
      "of a later version",
      whole.replace('"version":1', '"version":2'),
      "is of version 2; this program reads version 1",
    ],
    [
      "without accuracy",
      whole.replace("0.7", "null"),
      "entry 0: accuracy.adversarial must be a number in [0, 1], got null",
    ],
    ["too accurate", whole.replace("0.7", "1.5"), "accuracy.adversarial must be a number in [0, 1], got 1.5"],
    ["with half a pair", whole.replace("[4,9]", "[4]"), "entry 0: flip 1 must be two ids of nodes, got [4]"],
    ["with a pair of numbers that are no ids", whole.replace("[4,9]", "[4,9.5]"), "flip 1 must be two ids of nodes"],
    ["over its budget", whole.replace('"budget":3', '"budget":1'), "entry 0: has 2 flips, more than its budget of 1"],
    ["without a hash", whole.replace("a".repeat(64), "a"), "graph.sha256 must be 64 hexadecimal digits"],
    ["without a model", whole.replace('"model":"gcn",', ""), "entry 0: model must be a text, got nothing"],
  ];
  test.each(broken)("%s is refused in one line that names the place", (_, text, message) => {
    expect(() => parseCollection(bytes(text), "c.json")).toThrow(message);
    expect(() => parseCollection(bytes(text), "c.json")).toThrow(DataError);
  });
});
