import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { NodeIds } from "../data/node-ids.ts";
import { readNodeSet, readPairs } from "./node-sets.ts";

const ids = NodeIds.of(["ann", "bob", "c, d"], "people");

function file(text: string): string {
  const path = join(temporaryFolder(), "some.csv");
  writeFileSync(path, text);
  return path;
}

describe("a set of nodes", () => {
  test("is a file with an id per line, each node once", () => {
    expect([...readNodeSet(file('bob\n\n"c, d"\r\nbob\n'), ids)]).toEqual([1, 2]);
  });
  test("is the first column of a csv of nodes", () => {
    expect([...readNodeSet(file("node,label\nbob,3\nann,4\n"), ids)]).toEqual([1, 0]);
  });
  test("is refused with the line that is wrong", () => {
    expect(() => readNodeSet(file("ann\neve\n"), ids)).toThrow(/line 2: people has no node "eve"/);
    expect(() => readNodeSet(file("ann,bob\n"), ids)).toThrow('line 1 must be the id of one node, got "ann,bob"');
    expect(() => readNodeSet(file("\n"), ids)).toThrow("names no node; write one id per line");
    expect(() => readNodeSet("none.txt", ids)).toThrow("cannot be read (ENOENT)");
  });
});

describe("pairs of nodes", () => {
  test("are the first columns of a csv, whatever follows", () => {
    const pairs = readPairs(file('source,target,action\nbob,ann,add\n"c, d",bob,remove\n'), ids);
    expect([[...pairs.sources], [...pairs.targets]]).toEqual([
      [1, 2],
      [0, 1],
    ]);
  });
  test("are refused with the line that is wrong", () => {
    expect(() => readPairs(file("ann,bob\n"), ids)).toThrow(
      'first line must begin with "source,target", got "ann,bob"',
    );
    expect(() => readPairs(file("source,target\nann\n"), ids)).toThrow('line 2 must be source,target, got "ann"');
    expect(() => readPairs(file("source,target\nann,eve\n"), ids)).toThrow('line 2: people has no node "eve"');
  });
});
