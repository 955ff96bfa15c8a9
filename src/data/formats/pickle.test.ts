import { describe, expect, test } from "vitest";
import { bytesOf, pickle, pickleArray, pickleCsr, pickleNeighbours } from "../../../test/support/pickle-writer.ts";
import { python, testWithNumpy } from "../../../test/support/python.ts";
import { parsePickle } from "./pickle.ts";
import { isObject } from "./pickle-globals.ts";

const parse = (bytes: Uint8Array) => parsePickle(bytes, "f.pkl");
const body = (...pieces: (string | number | Uint8Array)[]) => parse(pickle(bytesOf(...pieces)));

/** What Python pickles as `expression`, in every protocol. */
function pickled(expression: string): Uint8Array[] {
  const program = `
import pickle, numpy as np, scipy.sparse as sp, collections
value = ${expression}
for protocol in range(6): print(pickle.dumps(value, protocol).hex())`;
  return python(program)
    .split("\n")
    .map((hex) => new Uint8Array(Buffer.from(hex, "hex")));
}

describe("parsePickle", () => {
  test("reads an array as Python 2 pickled it", () => {
    const value = body(pickleArray(Int32Array.of(1, 2, 3, 4), [2, 2]));
    expect(value).toMatchObject({
      kind: "array",
      array: { dtype: "i4", shape: [2, 2], data: Int32Array.of(1, 2, 3, 4) },
    });
  });
  test("reads a CSR matrix and sorts its rows", () => {
    const value = body(pickleCsr({ shape: [1, 9], indptr: [0, 3], indices: [7, 0, 2], data: [1, 2, 3] }));
    expect(value).toMatchObject({
      csr: { numCols: 9, colIdx: Int32Array.of(0, 2, 7), values: Float32Array.of(2, 3, 1) },
    });
  });
  test("reads a dictionary of lists", () => {
    expect(body(pickleNeighbours([[1], [0, 2]]))).toEqual(
      new Map([
        [0, [1]],
        [1, [0, 2]],
      ]),
    );
  });
  test("recalls what it remembered", () => {
    expect(body("(K\x05q\x07h\x07h\x07t")).toEqual([5, 5, 5]);
  });
  test.each(["os\nsystem", "builtins\neval", "numpy\nload", "__builtin__\ngetattr", "numpy\n__class__"])(
    "never runs %s",
    (name) => {
      const shown = name.replace("\n", ".");
      expect(() => body(`c${name}\n(S'x'\ntR`)).toThrow(`f.pkl: pickle refers to ${shown}; only numpy arrays`);
    },
  );
  test.each([
    ["a pickle that is cut off", bytesOf("\x80\x02T\xff\x00\x00\x00ab"), "pickle needs 255 bytes at 7, but it has 9"],
    ["no end", bytesOf("\x80\x02N"), "pickle needs 1 bytes at 3"],
    ["a negative length", bytesOf("\x80\x02T\xff\xff\xff\xffab."), "pickle needs -1 bytes"],
    ["an unknown opcode", bytesOf("\x80\x02\xfe."), 'unknown opcode "þ"'],
    ["an empty stack", bytesOf("\x80\x02."), "nothing is on the stack"],
    ["a missing mark", bytesOf("\x80\x02t."), "no mark is on the stack"],
    ["a memory that is empty", bytesOf("\x80\x02h\x09."), "nothing was remembered as 9"],
    ["a call of a number", bytesOf("\x80\x02K\x01)R."), "calls something that is not a known name"],
    ["an append to a number", bytesOf("\x80\x02K\x01K\x01a."), "appends to something that is not a list"],
    ["state for a number", bytesOf("\x80\x02K\x01K\x01b."), "sets the state of something that has none"],
    ["a huge integer", bytesOf("\x80\x02\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f."), "is too large"],
    [
      "an array that is shorter than its shape",
      pickle(pickleArray(Int32Array.of(1), [3])),
      "shape (3) needs 12 bytes, but 4",
    ],
    [
      "an array of objects that does not list them",
      bytesOf("\x80\x02cnumpy\nndarray\n)R(K\x01)cnumpy\ndtype\nU\x02O8\x85R\x89Ntb."),
      "pickled objects are not read",
    ],
    [
      "a matrix without arrays",
      bytesOf("\x80\x02cscipy.sparse.csr\ncsr_matrix\n)\x81}U\x06_shapeK\x01K\x01\x86sb."),
      'must have an array "indptr"',
    ],
  ])("refuses %s", (_, bytes, message) => {
    expect(() => parse(bytes)).toThrow(message);
  });
  test("refuses to copy one string into memory again and again", () => {
    const state = bytesOf(
      "(K\x01",
      "(M\xe8\x03t",
      "cnumpy\ndtype\nU\x02f4\x85R",
      "\x89",
      "T\xa0\x0f\x00\x00",
      new Uint8Array(4000),
      "tq\x02",
    );
    const again = bytesOf(...new Array(20).fill("cnumpy\nndarray\n)Rh\x02b"));
    expect(() => body(state, again)).toThrow("arrays of the pickle need more than 8 times its bytes; refused");
  });
  testWithNumpy("reads numbers, text and containers of every protocol", () => {
    for (const bytes of pickled("{'a': [1, -2, 300, 70000, 2**40, 1.5, True, None, (4, 'ü')]}")) {
      expect(parse(bytes)).toEqual(new Map([["a", [1, -2, 300, 70000, 2 ** 40, 1.5, true, null, [4, "ü"]]]]));
    }
  });
  testWithNumpy("reads arrays of every protocol, type and order", () => {
    for (const type of ["'>i4'", "'<f8'", "'i1'", "'float16'", "'u8'"]) {
      for (const bytes of pickled(`np.asfortranarray(np.array([[1, 2, 3], [4, 5, 6]], dtype=${type}))`)) {
        const value = parse(bytes);
        const data = isObject(value) ? value.array!.data : [];
        expect(Array.from(data as ArrayLike<number | bigint>, Number)).toEqual([1, 2, 3, 4, 5, 6]);
      }
    }
  });
  testWithNumpy("reads CSR matrices and default dictionaries of every protocol", () => {
    for (const bytes of pickled("sp.csr_matrix(np.array([[0, 2.5], [1, 0]]))")) {
      expect(parse(bytes)).toMatchObject({
        csr: { numRows: 2, colIdx: Int32Array.of(1, 0), values: Float32Array.of(2.5, 1) },
      });
    }
    for (const bytes of pickled("collections.defaultdict(list, {0: [1], 1: [0]})")) {
      expect(parse(bytes)).toEqual(
        new Map([
          [0, [1]],
          [1, [0]],
        ]),
      );
    }
  });
});
