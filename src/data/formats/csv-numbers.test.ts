import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bytesSource } from "./byte-source.ts";
import { readNumbers } from "./csv-numbers.ts";
import { parseNumber } from "./parse-number.ts";

const parse = (text: string) => parseNumber(new TextEncoder().encode(text), 0, new TextEncoder().encode(text).length);

const read = (text: string) => readNumbers(bytesSource(new TextEncoder().encode(text), "a.csv"));
const readGzipped = (bytes: Uint8Array) => readNumbers(bytesSource(bytes, "a.csv.gz"));

describe("parseNumber", () => {
  test("agrees with JavaScript on any double and any rounding of it", () => {
    fc.assert(
      fc.property(fc.double(), fc.integer({ min: 1, max: 21 }), (value, digits) => {
        for (const text of [String(value), value.toPrecision(digits), value.toExponential(digits - 1)]) {
          const expected = /nan|inf/i.test(text) ? value : Number(text);
          expect(parse(text)! + 0).toBe(expected + 0);
        }
      }),
      { seed: 3 },
    );
  });
  test("reads Python's nan and inf", () => {
    expect([parse("nan"), parse("NaN"), parse("-inf"), parse("Infinity")]).toEqual([
      Number.NaN,
      Number.NaN,
      -Infinity,
      Infinity,
    ]);
  });
  test.each(["", "-", ".", "1.2.3", "1e", "e5", "0x10", "1_000", "one", "--1", "1 2"])("refuses %j", (text) => {
    expect(parse(text)).toBeUndefined();
  });
});

describe("readNumbers", () => {
  test("reads commas, semicolons, tabs and spaces, comments and column names", async () => {
    const table = await read("a,b\n# comment\n1,2\n3; 4\r\n5\t6\n\n7 8");
    expect([table.numRows, table.numCols, ...table.data]).toEqual([4, 2, 1, 2, 3, 4, 5, 6, 7, 8]);
  });
  test("reads a byte order mark and every kind of line end, also mixed", async () => {
    const table = await read("\u{feff}1,2\r3,4\r\n5,6\n\r\n7,8\r");
    expect([table.numRows, ...table.data]).toEqual([4, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect((await read("\u{feff}")).numRows).toBe(0);
    expect([...(await read("7")).data]).toEqual([7]);
  });
  test("counts lines right where a chunk ends between \\r and \\n", async () => {
    const first = `#${"x".repeat(2 ** 20 - 2)}\r`; // a chunk of 1 MiB
    await expect(read(`${first}\n1\r\nx1\r\n`)).rejects.toThrow('line 3: number expected, got "x1"');
  });
  test("takes a first line for a header if it has the names of one, and nothing else", async () => {
    for (const header of ["label", "source,target", "f0,f1", "id;x", "# comment\nage,height"]) {
      const width = header.split("\n").at(-1)!.split(/[,;]/).length;
      expect((await read(`${header}\n${Array(width).fill(1).join()}\n`)).numRows).toBe(1);
    }
    for (const bad of ["garbage", "1,x", "x,1", "nan,x", "a,b\nc,d"])
      await expect(read(`${bad}\n1,2\n`)).rejects.toThrow();
  });
  test("reads gzipped files and lines that chunks cut", async () => {
    const lines = Array.from({ length: 200_000 }, (_, i) => `${i},${i / 4}`);
    const table = await readGzipped(gzipSync(lines.join("\n")));
    expect([table.numRows, table.data[2 * 123_456], table.data[2 * 123_456 + 1]]).toEqual([200_000, 123_456, 30_864]);
  });
  test.each([
    ["text among numbers", "1\n2\nx\n", 'line 3: number expected, got "x"'],
    ["rows of different widths", "1,2\n3\n", "line 2 has 1 columns, must have 2"],
    ["an empty cell", "1,2\n3,,4\n", 'line 2: number expected, got ""'],
  ])("refuses %s", async (_, text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });
  test("refuses a gzipped file that is cut off, and one that is none", async () => {
    await expect(readGzipped(gzipSync("1\n2\n3\n").subarray(0, 15))).rejects.toThrow(
      /a.csv.gz: cannot be read \(Z_BUF_ERROR\)/,
    );
    await expect(readGzipped(Buffer.from("1\n2\n"))).rejects.toThrow(/a.csv.gz: cannot be read \(Z_DATA_ERROR\)/);
  });
  test("refuses a gzipped file that unpacks without end", async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 2 ** 20, `#${"0".repeat(1022)}\n`));
    await expect(readGzipped(bomb)).rejects.toThrow("unpacks to more than 300 times its size");
  });
});
