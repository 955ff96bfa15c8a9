import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DataError } from "../../core/errors.ts";
import { formatChecked } from "./checked-json.ts";
import { GRAPH_STORE, parseStoreHeader, type StoreHeader } from "./store-header.ts";

const header: StoreHeader = {
  name: "tiny",
  numNodes: 3,
  numEntries: 4,
  numFeatures: 2,
  numClasses: 2,
  directed: false,
  splits: ["public"],
  classes: ["a", "ü"],
  parts: {
    columns: { file: "columns.i32", type: "i32", length: 4, checksums: [123456] },
    features: { file: "features.f16", type: "f16", length: 6, checksums: [4294967295] },
  },
};
const text = formatChecked(GRAPH_STORE, header);

/** What a text is read as: the header, or one line of an error. */
function read(changed: string): StoreHeader | string {
  try {
    return parseStoreHeader(changed, "x.store/store.json");
  } catch (error) {
    if (error instanceof DataError) return error.message;
    throw error;
  }
}

/** No change of a text may pass unless it says the same. */
function expectCaught(changed: string): void {
  const result = read(changed);
  if (typeof result === "string") expect(result).toMatch(/^x\.store\/store\.json: [^\n]+$/);
  else expect(result).toEqual(header);
}

describe("parseStoreHeader", () => {
  test("reads what GRAPH_STORE wrote", () => {
    expect(parseStoreHeader(text, "here")).toEqual(header);
  });
  test("finds every change of one character, or tells the same", () => {
    const change = fc.record({ at: fc.nat(text.length - 1), to: fc.string({ minLength: 0, maxLength: 2 }) });
    fc.assert(
      fc.property(change, ({ at, to }) => expectCaught(text.slice(0, at) + to + text.slice(at + 1))),
      { numRuns: 500 },
    );
  });
  test("finds every cut", () => {
    for (let length = 0; length < text.length - 1; length++) {
      expect(read(text.slice(0, length))).toMatch(/is cut off or not JSON; make the store again$|is not the header/);
    }
  });
  test("refuses any other JSON in one line", () => {
    fc.assert(
      fc.property(fc.json(), (other) => {
        expect(read(other)).toMatch(/^x\.store\/store\.json: [^\n]+$/);
      }),
    );
  });
  test("finds values that were exchanged", () => {
    const values: [string, string][] = [
      ['"numNodes": 3', '"numNodes": 4'],
      ['"length": 4', '"length": 40'],
      ['"columns.i32"', '"../columns.i32"'],
      ['"version": 1', '"version": 2'],
      ['"version": 1', '"version": "1\\n"'],
    ];
    for (const [from, to] of values) {
      expect(text).toContain(from);
      expect(read(text.replace(from, to))).toMatch(/checksum is wrong|has version .*, this program reads 1/);
    }
  });
});
