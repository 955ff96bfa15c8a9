import { describe, expect, test } from "vitest";
import { NodeIds } from "./node-ids.ts";

describe("NodeIds", () => {
  test("are the numbers of the nodes where nothing was left out", () => {
    const ids = NodeIds.numbered(3, "mine");
    expect([ids.idOf(2), ids.nodeOf(2), ids.nodeOf("1"), ids.areNumbers]).toEqual([2, 2, 1, true]);
    expect(() => ids.nodeOf(3)).toThrow("mine has no node 3; ids are 0 … 2");
    expect(() => ids.nodeOf("x")).toThrow('mine has no node "x"; ids are 0 … 2');
    expect(() => ids.nodeOf(2 ** 32)).toThrow("mine has no node 4294967296");
  });
  test("stay those of the input when nodes are left out, and say why one is missing", () => {
    const ids = NodeIds.numbered(9, "mine").select(Int32Array.of(2, 5, 8));
    expect(ids.idsOf([0, 1, 2])).toEqual([2, 5, 8]);
    expect([...ids.nodesOf(["8", 2])]).toEqual([2, 0]);
    expect([ids.wasLeftOut(3), ids.wasLeftOut(9), ids.wasLeftOut(5)]).toEqual([true, false, false]);
    expect(() => ids.nodeOf(3)).toThrow("node 3 of mine is not in the largest component; --all-components keeps it");
    expect(() => ids.nodeOf(9)).toThrow("mine has no node 9; ids go from 2 to 8");
  });
  test("may be names, each of them once", () => {
    const ids = NodeIds.of(["a", "b", "7"], "mine");
    expect([ids.nodeOf("b"), ids.nodeOf(7), ids.areNames]).toEqual([1, 2, true]);
    expect(() => NodeIds.of(["a", "b", "a"], "mine")).toThrow('mine: node id "a" is there twice');
  });
});
