import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UserError } from "../../core/errors.ts";
import { float16 } from "../../core/float16.ts";
import { bytesSource } from "../../data/formats/byte-source.ts";
import { decodeMetadata, decodeSafetensors, encodeSafetensors } from "./safetensors.ts";
import { bfloat16 } from "./safetensors-dtype.ts";

const golden = fileURLToPath(new URL("../../../test/golden/pyg/", import.meta.url));
const goldenBytes = (name: string) => new Uint8Array(readFileSync(`${golden}${name}.safetensors`));

const f32 = (shape: number[], ...values: number[]) => ({ dtype: "F32", shape, data: Float32Array.from(values) });
const small = {
  tensors: new Map([
    ["b", f32([2], 1.5, -2)],
    ["a.weight", f32([1, 3], 0.1, 0, 7)],
  ]),
  metadata: { note: 'an "odd" ß' },
};

/** A file with this header (text or object) and this many bytes of data. */
function fileOf(header: unknown, numBytes = 0) {
  const json = new TextEncoder().encode(typeof header === "string" ? header : JSON.stringify(header));
  const bytes = new Uint8Array(8 + json.length + numBytes);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(json.length), true);
  bytes.set(json, 8);
  return bytesSource(bytes, "w.safetensors");
}
const entry = (dtype: unknown, shape: unknown, begin: unknown, end: unknown) => ({
  dtype,
  shape,
  data_offsets: [begin, end],
});

describe("safetensors", () => {
  test("come back as they were written, with their metadata", () => {
    const source = bytesSource(encodeSafetensors(small), "small.safetensors");
    const { tensors, metadata } = decodeSafetensors(source);
    expect([...tensors].sort()).toEqual([...small.tensors].sort());
    expect(metadata).toEqual(small.metadata);
    expect(decodeMetadata(source)).toEqual(small.metadata);
  });

  test.each(["gcn", "gcn-bns", "gcn-norms", "gat", "sgc"])("are written byte for byte as Python wrote %s", (name) => {
    const bytes = goldenBytes(name);
    const written = encodeSafetensors(decodeSafetensors(bytesSource(bytes, name)));
    expect(Buffer.from(written).equals(bytes)).toBe(true);
  });

  test("of every type that PyTorch writes are read with PyTorch's values", () => {
    const { dtypes } = JSON.parse(readFileSync(`${golden}golden.json`, "utf8"));
    const { tensors, metadata } = decodeSafetensors(bytesSource(goldenBytes("dtypes"), "dtypes"));
    const read = [...tensors].map(([name, { shape, data }]) => [name, { shape, values: [...data] }]);
    expect(Object.fromEntries(read)).toEqual(dtypes);
    expect(metadata).toEqual({ format: "pt" });
  });

  test("of unsigned types are read too", () => {
    const source = fileOf(
      { a: entry("U64", [1], 0, 8), b: entry("U32", [1], 8, 12), c: entry("U16", [2], 12, 16) },
      16,
    );
    source.read(source.size - 16, 16).fill(0xff);
    const values = [...decodeSafetensors(source).tensors.values()].map(({ data }) => [...data]);
    expect(values).toEqual([[2 ** 64], [2 ** 32], [65_535, 65_535]]);
  });

  test("in half precision keep signs, subnormal numbers, infinities and NaN", () => {
    expect([0x0001, 0x3c00, 0xc000, 0x7bff, 0x7c00, 0xfc00].map(float16)).toEqual([
      ...[2 ** -24, 1, -2, 65_504],
      ...[Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
    ]);
    expect(float16(0x8000)).toBe(-0);
    expect(float16(0x7e00)).toBeNaN();
    expect([0x3f80, 0xc000, 0x7f80].map(bfloat16)).toEqual([1, -2, Number.POSITIVE_INFINITY]);
  });

  test("without any tensor are a valid file", () => {
    const none = { tensors: new Map(), metadata: {} };
    expect(decodeSafetensors(bytesSource(encodeSafetensors(none), "none"))).toEqual(none);
  });

  test("keep the order of names that look like numbers and survive a name of the prototype", () => {
    const tensors = new Map(["10", "9", "__proto__"].map((name, i) => [name, f32([1], i)]));
    const { tensors: read } = decodeSafetensors(bytesSource(encodeSafetensors({ tensors, metadata: {} }), "odd"));
    expect([...read.keys()]).toEqual(["10", "9", "__proto__"]);
    expect(read.get("__proto__")!.data[0]).toBe(2);
  });
});

describe("a safetensors file is refused", () => {
  const refuse = (source: ReturnType<typeof fileOf>, message: string) => {
    expect(() => decodeSafetensors(source)).toThrow(UserError);
    expect(() => decodeSafetensors(source)).toThrow(message);
  };

  test("if it is too short for its header", () => {
    refuse(bytesSource(new Uint8Array(5), "w.safetensors"), "w.safetensors: 5 bytes are too few");
    refuse(bytesSource(new Uint8Array(9).fill(255), "w.safetensors"), "in a file of 9");
  });

  test("if its header is no JSON object", () => {
    refuse(fileOf("{"), "the header is not JSON");
    const notText = fileOf('{"?":{}}');
    notText.read(10, 1)[0] = 0xff; // never part of UTF-8
    refuse(notText, "the header is not JSON");
    refuse(fileOf("[]"), "the header must be a JSON object");
    refuse(fileOf({ __metadata__: { a: 1 } }), 'value of "a" must be a string');
  });

  test("if a tensor has a type, a shape or offsets that mean nothing", () => {
    refuse(fileOf({ t: 3 }), 'w.safetensors: tensor "t": its header entry must be an object');
    refuse(fileOf({ t: entry("F7", [1], 0, 4) }, 4), 'tensor "t": unknown dtype "F7"; known are F32,');
    refuse(fileOf({ t: entry("toString", [1], 0, 4) }, 4), "unknown dtype");
    refuse(fileOf({ t: entry("F32", [-1], 0, 4) }, 4), "shape must be a list of sizes, got [-1]");
    refuse(fileOf({ t: entry("F32", [1], 0.5, 4.5) }, 4), "data_offsets must be two byte positions, got [0.5,4.5]");
  });

  test("if shapes and bytes disagree, or bytes belong to no tensor or to two", () => {
    refuse(fileOf({ t: entry("F32", [3], 0, 8) }, 8), "F32 of shape [3] takes 12 bytes, but has 8");
    refuse(fileOf({ t: entry("F32", [1], 4, 8) }, 8), 'tensor "t" begins at byte 4, must begin at 0');
    refuse(fileOf({ t: entry("F32", [2], 0, 8), u: entry("F32", [1], 4, 8) }, 8), 'tensor "u" begins at byte 4');
    refuse(fileOf({ t: entry("F32", [1], 0, 4) }, 8), "tensors take 4 bytes, but the file has 8");
    refuse(fileOf({ t: entry("F32", [2], 0, 8) }, 4), "tensors take 8 bytes, but the file has 4; is it cut off?");
  });

  test("if it would hold a type that is not written", () => {
    const tensors = new Map([["t", { ...f32([1], 1), dtype: "F16" }]]);
    expect(() => encodeSafetensors({ tensors, metadata: {} })).toThrow("F16 cannot be written");
  });

  test("with a UserError, or else read cleanly, wherever it is cut and whatever byte is changed", () => {
    const bytes = encodeSafetensors(small);
    fc.assert(
      fc.property(
        fc.nat(bytes.length),
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 })), { maxLength: 3 }),
        (length, edits) => {
          const damaged = bytes.slice();
          for (const [at, value] of edits) damaged[at] = value;
          for (const source of [damaged, damaged.subarray(0, length)].map((part) => bytesSource(part, "w"))) {
            try {
              for (const { shape, data } of decodeSafetensors(source).tensors.values()) {
                expect(data.length).toBe(shape.reduce((product, size) => product * size, 1));
              }
            } catch (error) {
              expect(error).toBeInstanceOf(UserError);
            }
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});
