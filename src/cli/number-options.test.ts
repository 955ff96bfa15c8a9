import { expect, test } from "vitest";
import { checkTemplate, fillIn } from "./name-template.ts";
import { epsilonList, seedList } from "./number-options.ts";

test("seeds are one number or several", () => {
  expect(seedList("3")).toEqual([3]);
  expect(seedList("0,1,5")).toEqual([0, 1, 5]);
  expect(seedList("0-3,7,10-11")).toEqual([0, 1, 2, 3, 7, 10, 11]);
  expect(() => seedList("3-1")).toThrow("must go up");
  expect(() => seedList("0-99999")).toThrow("must go up, to at most");
  expect(() => seedList("0-3,2")).toThrow("names 2 twice");
  for (const text of ["", "1,", "-1", "1-", "1-2-3", "1.5", "a", "0;1"])
    expect(() => seedList(text)).toThrow("must be a whole number");
  expect(() => seedList("1,2,1")).toThrow("names 1 twice");
});

test("epsilons are a number, a list, or a range with a count", () => {
  expect(epsilonList("0.1")).toEqual([0.1]);
  expect(epsilonList("0.05,0.1")).toEqual([0.05, 0.1]);
  expect(epsilonList("0.01:0.1:4")).toEqual([0.01, 0.04, 0.07, 0.1]);
  for (const text of ["0.1:0.2", "0:1:1", "0:1:2:3", "0:1:9999"]) expect(() => epsilonList(text)).toThrow(/must/);
  expect(() => epsilonList("0.1,x")).toThrow('must be a number, got "x"');
  expect(() => epsilonList("0.1:0.1:3")).toThrow("names 0.1 twice");
});

test("several runs write files of their own", () => {
  expect(fillIn("out/{seed}-{epsilon}.csv", { seed: 3, epsilon: 0.05 })).toBe("out/3-0.05.csv");
  expect(() => checkTemplate("--out", "gcn.safetensors", { seed: [1] })).not.toThrow();
  expect(() => checkTemplate("--out", "a.b/gcn", { seed: [1, 2] })).toThrow(
    "--out a.b/gcn: must name a file per seed; put {seed} into it, as in a.b/gcn-{seed}",
  );
  expect(() => checkTemplate("--out", "{seed}.csv", { seed: [1, 2], epsilon: [0.1, 0.2] })).toThrow(
    "{seed}-{epsilon}.csv",
  );
});
