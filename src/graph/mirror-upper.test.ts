import fc from "fast-check";
import { expect, test } from "vitest";
import { csrFromEntries } from "./csr.ts";
import { mirrorUpper } from "./mirror-upper.ts";
import { symmetrise } from "./symmetrise.ts";

test("mirrors a path as worked by hand", () => {
  const path = mirrorUpper(csrFromEntries(3, 3, [0, 1], [1, 2]));
  expect([...path.rowPtr]).toEqual([0, 1, 3, 4]);
  expect([...path.colIdx]).toEqual([1, 0, 2, 1]);
});

test("gives what symmetrise gives, of any upper triangle", () => {
  const pair = fc.tuple(fc.nat(9), fc.nat(9)).filter(([i, j]) => i < j);
  fc.assert(
    fc.property(fc.array(pair), (pairs) => {
      const rows = pairs.map(([i]) => i);
      const cols = pairs.map(([, j]) => j);
      const upper = csrFromEntries(10, 10, rows, cols);
      const both = mirrorUpper(upper);
      const expected = symmetrise(upper);
      expect([...both.rowPtr]).toEqual([...expected.rowPtr]);
      expect([...both.colIdx]).toEqual([...expected.colIdx]);
    }),
  );
});
