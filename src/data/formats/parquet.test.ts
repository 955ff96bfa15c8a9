import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parquetOf, parquetV1 } from "../../../test/support/parquet-writer.ts";
import { DataError } from "../../core/errors.ts";
import { bytesSource } from "./byte-source.ts";
import { formatParquet, idsColumn } from "./format-parquet.ts";
import { openParquet } from "./parquet.ts";

const open = (bytes: Uint8Array) => openParquet(bytesSource(bytes, "t.parquet"));

/** Every column of a file, by its name. */
async function columnsOf(bytes: Uint8Array): Promise<Record<string, unknown[]>> {
  const table = await open(bytes);
  const columns: Record<string, unknown[]> = {};
  for (const [k, name] of table.names.entries()) columns[name] = [...(await table.column(k)).values];
  return columns;
}

describe("openParquet", () => {
  test.each(["SNAPPY", "UNCOMPRESSED"] as const)("reads numbers, flags and text, packed by %s", async (codec) => {
    const file = parquetOf(
      [
        { name: "int32", type: "INT32", data: [1, -2, 3] },
        { name: "int64", type: "INT64", data: [1n, -2n, 2n ** 53n - 1n] },
        { name: "float", type: "FLOAT", data: [0.5, -1, 2], nullable: false },
        { name: "double", type: "DOUBLE", data: [0.1, Number.NaN, 1e300] },
        { name: "half", type: "FLOAT16", data: [0.5, 1, -2] },
        { name: "flag", type: "BOOLEAN", data: [true, false, true] },
        { name: "text", type: "STRING", data: ["a", "é", ""] },
      ],
      { codec },
    );
    expect(await columnsOf(file)).toEqual({
      int32: [1, -2, 3],
      int64: [1, -2, 2 ** 53 - 1],
      float: [0.5, -1, 2],
      double: [0.1, Number.NaN, 1e300],
      half: [0.5, 1, -2],
      flag: [1, 0, 1],
      text: ["a", "é", ""],
    });
  });
  test("reads every encoding of values, over several pages and groups of rows", async () => {
    const numbers = Array.from({ length: 3000 }, (_, i) => (i * i) % 7000);
    const texts = numbers.map((value) => `node ${value % 50}`);
    const flags = numbers.map((value) => value % 3 === 0);
    const file = parquetOf(
      [
        { name: "plain", type: "INT32", data: numbers, encoding: "PLAIN" },
        { name: "delta", type: "INT32", data: numbers, encoding: "DELTA_BINARY_PACKED" },
        { name: "split", type: "DOUBLE", data: numbers, encoding: "BYTE_STREAM_SPLIT" },
        { name: "dictionary", type: "STRING", data: texts, encoding: "RLE_DICTIONARY" },
        { name: "lengths", type: "STRING", data: texts, encoding: "DELTA_LENGTH_BYTE_ARRAY" },
        { name: "flags", type: "BOOLEAN", data: flags, encoding: "RLE" },
      ],
      { rowGroupSize: 700, pageSize: 1000 },
    );
    expect(await columnsOf(file)).toEqual({
      plain: numbers,
      delta: numbers,
      split: numbers,
      dictionary: texts,
      lengths: texts,
      flags: flags.map(Number),
    });
  });
  test.each(["SNAPPY", "UNCOMPRESSED"] as const)("reads pages of version 1 packed by %s", async (codec) => {
    const values = Array.from({ length: 500 }, (_, i) => (i % 7 === 0 ? null : BigInt((i * i) % 40)));
    const column = await (await open(parquetV1("v", values, codec))).column(0);
    expect([...column.values]).toEqual(values.map((value) => (value === null ? Number.NaN : Number(value))));
    expect(column.missing).toEqual([...values.keys()].filter((row) => values[row] === null));
  });
  test("says which rows have no value", async () => {
    const file = parquetOf([{ name: "a", type: "STRING", data: ["x", null, "y", null] }]);
    expect(await (await open(file)).column(0)).toEqual({ name: "a", values: ["x", "", "y", ""], missing: [1, 3] });
  });
  test("leaves out the numbers of rows that pandas adds", async () => {
    const file = parquetOf([
      { name: "a", type: "INT32", data: [5] },
      { name: "__index_level_0__", type: "INT64", data: [17n] },
      { name: "b", type: "INT32", data: [6] },
    ]);
    expect(await columnsOf(file)).toEqual({ a: [5], b: [6] });
  });
  test("reads tables without rows and without columns", async () => {
    expect(await columnsOf(parquetOf([{ name: "a", type: "INT32", data: [] }]))).toEqual({ a: [] });
    expect(await columnsOf(parquetOf([]))).toEqual({});
  });
  test("reads what formatParquet wrote, whatever it is", async () => {
    const row = fc.record({
      text: fc.option(fc.string({ unit: "binary" }), { nil: null }),
      double: fc.double(),
      int: fc.option(fc.integer(), { nil: null }),
      id: fc.maxSafeInteger(),
    });
    const property = fc.asyncProperty(fc.array(row, { maxLength: 60 }), async (rows) => {
      const file = await formatParquet([
        { name: "text", type: "STRING", data: rows.map(({ text }) => text) },
        { name: "double", type: "DOUBLE", data: rows.map(({ double }) => double) },
        { name: "int", type: "INT32", data: rows.map(({ int }) => int) },
        idsColumn(
          "id",
          rows.map(({ id }) => id),
        ),
      ]);
      expect(await columnsOf(file)).toEqual({
        text: rows.map(({ text }) => text ?? ""),
        double: rows.map(({ double }) => double),
        int: rows.map(({ int }) => int ?? Number.NaN),
        id: rows.map(({ id }) => id),
      });
    });
    await fc.assert(property, { numRuns: 60, seed: 3 });
  });
});

describe("openParquet refuses", () => {
  const refused = async (bytes: Uint8Array, message: string) => {
    const reading = columnsOf(bytes);
    await expect(reading).rejects.toThrow(message);
    await expect(reading).rejects.toBeInstanceOf(DataError);
  };
  test("files that are cut off or something else", async () => {
    const file = parquetOf([{ name: "a", type: "INT32", data: [1, 2, 3] }]);
    for (const bytes of [new Uint8Array(), file.subarray(0, 40), new TextEncoder().encode("source,target\n0,1\n")]) {
      await refused(bytes, "t.parquet: is not a parquet file, or it is cut off");
    }
    const end = file.slice(file.length - 60);
    await refused(end, "t.parquet: is no whole parquet file (a footer of");
  });
  test("what is packed in another way, and says the way out", async () => {
    const file = parquetOf([{ name: "a", type: "INT32", data: [1] }], {
      codec: "ZSTD",
      compressors: { ZSTD: (bytes) => bytes },
    });
    const message = 'column "a" is packed by ZSTD, which is not read; write it with compression "snappy" or none';
    await refused(file, message);
  });
  test("lists, dates and whole numbers that are too large", async () => {
    await refused(
      parquetOf([{ name: "when", type: "TIMESTAMP", data: [new Date(0)] }]),
      'column "when" holds TIMESTAMP_MILLIS; it must hold numbers or text',
    );
    await refused(
      parquetOf([{ name: "x", data: [[1, 2]] }], {
        schema: [
          { name: "root", num_children: 1 },
          { name: "x", repetition_type: "OPTIONAL", num_children: 1, converted_type: "LIST" },
          { name: "list", repetition_type: "REPEATED", num_children: 1 },
          { name: "element", repetition_type: "OPTIONAL", type: "DOUBLE" },
        ],
      }),
      'column "x" holds lists; give each number a column of its own',
    );
    await refused(
      parquetOf([{ name: "id", type: "INT64", data: [0n, 2n ** 60n] }]),
      'row 1, column "id": 1152921504606846976 is not below 2^53; store it as text',
    );
  });
  test("a small file of very many rows", async () => {
    const file = parquetOf([{ name: "a", type: "INT32", data: new Int32Array(20_000_000).fill(7) }]);
    await refused(file, "t.parquet: unpacks to more than 300 times its size; refused");
  });
});
