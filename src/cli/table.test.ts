import { describe, expect, test } from "vitest";
import { formatCount } from "../experiment/readable-numbers.ts";
import { formatFacts, formatTable } from "./table.ts";

describe("formatTable", () => {
  test("aligns text left and numbers right, without trailing spaces", () => {
    const table = formatTable(
      [{ title: "name" }, { title: "nodes", align: "right" }, { title: "about" }],
      [
        ["cora_ml", "2,810", "papers"],
        ["x", "7", ""],
      ],
    );
    expect(table.split("\n")).toEqual([
      "name     nodes  about",
      "-------  -----  ------",
      "cora_ml  2,810  papers",
      "x            7",
    ]);
  });
  test("shows its titles when there are no rows", () => {
    expect(formatTable([{ title: "name" }], [])).toBe("name\n----");
  });
});

test("formatFacts puts names in front, aligned", () => {
  expect(formatFacts({ a: "1", long: "2" })).toBe("a     1\nlong  2");
});

test("formatCount groups thousands", () => {
  expect([0, 999, 1615685872].map(formatCount)).toEqual(["0", "999", "1,615,685,872"]);
});
