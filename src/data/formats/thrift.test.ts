import { ByteWriter } from "hyparquet-writer";
import { serializeTCompactProtocol } from "hyparquet-writer/src/thrift.js";
import { describe, expect, test } from "vitest";
import { DataError } from "../../core/errors.ts";
import { ThriftReader } from "./thrift.ts";

const structOf = (...bytes: number[]) => new ThriftReader(Uint8Array.from(bytes), 0, "here").struct();

describe("ThriftReader", () => {
  test("reads numbers, flags and structs by their fields, and passes over the rest", () => {
    const writer = new ByteWriter();
    const long = Array.from({ length: 20 }, (_, i) => i);
    const lists = { field_2: "text", field_3: [true, false], field_4: long, field_5: [{ field_1: 1 }] };
    serializeTCompactProtocol(writer, {
      field_1: -7,
      ...lists,
      field_6: 2n ** 40n,
      field_7: true,
      field_40: { field_3: 5 },
    });
    const reader = new ThriftReader(writer.getBytes(), 0, "here");
    const expected = [
      [1, -7],
      [6, 2 ** 40],
      [7, true],
      [40, new Map([[3, 5]])],
    ];
    expect([...reader.struct()]).toEqual(expected);
    expect(reader.at).toBe(writer.offset);
  });
  test.each([
    ["a struct without an end", [0x15, 2], "it ends too early"],
    [
      "a list of more structs than there are bytes",
      [0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x07, 0],
      "a list of 2147483647",
    ],
    ["text that is cut off", [0x18, 9, 97, 0], "it ends too early"],
    ["an unknown type", [0x1d, 0], "type 13 is unknown"],
    ["a number of 32 bits that has more", [0x15, 0xfe, 0xff, 0xff, 0xff, 0x7f, 0], "has more than 32 bits"],
    ["a number without an end", [0x16, ...new Array(12).fill(0xff), 0], "a number is too long"],
    ["structs in structs without an end", new Array(100).fill(0x1c), "structs are too deep"],
  ])("refuses %s", (_, bytes, message) => {
    expect(() => structOf(...bytes)).toThrow(message);
    expect(() => structOf(...bytes)).toThrow(DataError);
  });
});
