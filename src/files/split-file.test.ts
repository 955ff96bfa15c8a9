import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { formatNpz } from "../data/formats/npz.ts";
import { NodeIds } from "../data/node-ids.ts";
import { readSplitFile } from "./split-file.ts";
import { splitHash } from "./split-hash.ts";

const ids = NodeIds.numbered(9, "mine").select(Int32Array.of(2, 3, 5, 7, 8));
const plain = ({ train, val, test }: { train: Int32Array; val: Int32Array; test: Int32Array }) => [
  ...[[...train], [...val], [...test]],
];

function read(name: string, content: string | Uint8Array, of = ids) {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return readSplitFile(path, of);
}

describe("readSplitFile", () => {
  test("reads ids of the input from JSON", () => {
    const { split, notes } = read("split.json", '{"train":[8,3],"val":[2],"test":[5,7]}');
    expect([plain(split), notes]).toEqual([[[4, 1], [0], [2, 3]], []]);
  });
  test("reads names from JSON", () => {
    const names = NodeIds.of(["a", "b", "c"], "mine");
    const { split } = read("split.json", '{"idx_train":["c"],"idx_val":["a"],"idx_test":["b"]}', names);
    expect(plain(split)).toEqual([[2], [0], [1]]);
  });
  test("reads npz, by either kind of names", () => {
    const of = (...nodes: number[]) => ({ data: BigInt64Array.from(nodes, BigInt) });
    const short = read("split.npz", formatNpz({ train: of(8), val: of(2), test: of(5, 7) }));
    const long = read("split.npz", formatNpz({ idx_train: of(8), idx_val: of(2), idx_test: of(5, 7) }));
    expect([plain(short.split), plain(long.split)]).toEqual([
      ...[
        [[4], [0], [2, 3]],
        [[4], [0], [2, 3]],
      ],
    ]);
  });
  test("lets nodes leave that were left out of the graph, and says how many", () => {
    const { split, notes } = read("split.json", '{"train":[0,1,2],"val":[3],"test":[5]}');
    expect(plain(split)[0]).toEqual([0]);
    expect(notes[0]).toMatch(/split.json: 2 of 3 train nodes are outside the largest component$/);
  });
  test.each([
    ["an unknown node", '{"train":[99],"val":[2],"test":[3]}', "mine has no node 99"],
    ["a node in two sets", '{"train":[2],"val":[2],"test":[3]}', "node 2 is in it twice"],
    ["a set that is missing", '{"train":[2],"val":[3]}', "has no test nodes; it needs train, val and test"],
    ["a set that is no list", '{"train":2,"val":[3],"test":[5]}', "train must be a list of node ids"],
    ["something else than an object", "[1]", "must be an object with train, val and test"],
    ["what is not JSON", "train: 1", "is not JSON"],
  ])("refuses %s", (_, text, message) => {
    expect(() => read("split.json", text)).toThrow(message);
  });
});

describe("splitHash", () => {
  const split = (train: number[], val: number[], test: number[]) => ({
    ...{ train: Int32Array.from(train), val: Int32Array.from(val), test: Int32Array.from(test) },
  });
  test("depends on the ids of each set, and on nothing else", () => {
    const hash = splitHash(split([0, 1], [2], [3]), ids);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(splitHash(split([1, 0], [2], [3]), ids)).toBe(hash);
    expect(splitHash(split([3, 2], [5], [7]), NodeIds.numbered(9, "whole"))).toBe(hash); // the same ids
    expect(splitHash(split([0], [2, 1], [3]), ids)).not.toBe(hash);
  });
});
