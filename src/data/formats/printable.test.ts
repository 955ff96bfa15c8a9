import { expect, test } from "vitest";
import { printable, quote } from "./printable.ts";

test("printable escapes what a terminal would obey and leaves other text alone", () => {
  expect(printable("a\nb\x1b[31m\x9bü…😀")).toBe("a\\x0ab\\x1b[31m\\x9bü…😀");
});

test("quote shortens long text", () => {
  expect(quote("x".repeat(100))).toBe(`"${"x".repeat(57)}..."`);
  expect(quote("x\t")).toBe('"x\\x09"');
});
