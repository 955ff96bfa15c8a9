import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatCsvLine, parseCsvLine } from "./csv-line.ts";

describe("a line of csv", () => {
  test("quotes what needs quotes", () => {
    expect(formatCsvLine(["a", "b c", 'say "d"', 7, ""])).toBe('a,"b c","say ""d""",7,""');
  });
  test("comes back as it was written, whatever the fields are", () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (fields) => {
        expect(parseCsvLine(formatCsvLine(fields))).toEqual(fields);
      }),
    );
  });
  test("is refused if a quote does not end, or ends within a field", () => {
    expect(parseCsvLine('a,"b')).toBeUndefined();
    expect(parseCsvLine('a,"b""')).toBeUndefined();
    expect(parseCsvLine('"a"b,c')).toBeUndefined();
  });
});
