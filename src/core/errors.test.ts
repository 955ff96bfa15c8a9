import { describe, expect, test } from "vitest";
import { check, DataError, lookup, MemoryError, ShapeError, UserError } from "./errors.ts";

describe("check", () => {
  test("passes without building its message where the condition holds", () => {
    check(true, () => {
      throw new Error("the message was built");
    });
  });
  test("throws the message as a user's error, or as the kind asked for", () => {
    expect(() => check(false, () => "epsilon must be in [0, 1], got 2")).toThrow(
      new UserError("epsilon must be in [0, 1], got 2"),
    );
    expect(() => check(false, () => "truncated", DataError)).toThrow(DataError);
  });
});

describe("errors", () => {
  test("are all a user's errors and carry their own names", () => {
    for (const kind of [DataError, ShapeError, MemoryError]) {
      const error = new kind("x");
      expect(error).toBeInstanceOf(UserError);
      expect(error.name).toBe(kind.name);
    }
  });
});

describe("lookup", () => {
  const table = { gcn: 1, gat: 2 };
  test("finds what is in the table", () => {
    expect(lookup(table, "gat", "model")).toBe(2);
  });
  test("lists the known names where the name is unknown, inherited ones included", () => {
    expect(() => lookup(table, "gnc", "model")).toThrow('unknown model "gnc"; known are gcn, gat');
    expect(() => lookup(table, "toString", "model")).toThrow('unknown model "toString"');
  });
});
