import { check, DataError } from "../../core/errors.ts";
import { printable, quote } from "./printable.ts";

/** What the header of a .npy file says. `descr` is NumPy's type string, such as `<f4`. */
export interface NpyHeader {
  readonly descr: string;
  readonly fortranOrder: boolean;
  readonly shape: readonly number[];
  /** Where the values begin. */
  readonly dataOffset: number;
}

const MAGIC = "\x93NUMPY";

/**
 * Reads the header of .npy versions 1 to 3: magic, two version bytes, the length of the header (two bytes in version
 * 1, four later), then a Python dictionary as text.
 */
export function parseNpyHeader(bytes: Uint8Array, where: string): NpyHeader {
  const fail = (message: string): never => {
    throw new DataError(`${where}: ${message}`);
  };
  if (bytes.length < 10) fail(`a .npy file has at least 10 bytes, got ${bytes.length}`);
  const magic = String.fromCharCode(...bytes.subarray(0, 6));
  if (magic !== MAGIC) fail(`must begin with the .npy magic \\x93NUMPY, got ${quote(magic)}`);
  const version = bytes[6];
  if (version < 1 || version > 3) fail(`.npy version must be 1, 2 or 3, got ${version}`);
  const start = version === 1 ? 10 : 12;
  if (bytes.length < start) fail(`cut off inside the header`);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const length = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  const dataOffset = start + length;
  if (dataOffset > bytes.length)
    fail(`header of ${length} bytes is longer than the ${bytes.length - start} bytes that follow`);
  const encoding = version === 3 ? "utf-8" : "latin1";
  return { ...parseDictionary(new TextDecoder(encoding).decode(bytes.subarray(start, dataOffset)), where), dataOffset };
}

/** The three entries every header has, in any order; structured types (a list as `descr`) are refused. */
function parseDictionary(text: string, where: string): Omit<NpyHeader, "dataOffset"> {
  const descr = /'descr'\s*:\s*'([^']*)'/.exec(text)?.[1];
  const order = /'fortran_order'\s*:\s*(True|False)/.exec(text)?.[1];
  const sizes = /'shape'\s*:\s*\(([\d\s,L]*)\)/.exec(text)?.[1];
  const shown = quote(text.trim());
  check(descr !== undefined, () => `${where}: header needs 'descr' with a plain type, got ${shown}`, DataError);
  check(order !== undefined, () => `${where}: header needs 'fortran_order' True or False, got ${shown}`, DataError);
  check(sizes !== undefined, () => `${where}: header needs 'shape' as a tuple of sizes, got ${shown}`, DataError);
  const shape = sizes.split(",").map((size) => size.trim().replace(/L$/, ""));
  if (shape.at(-1) === "") shape.pop(); // (3,) and () end in an empty item
  check(
    shape.every((size) => /^\d{1,15}$/.test(size)),
    () => `${where}: shape must hold sizes, got (${printable(sizes)})`,
    DataError,
  );
  return { descr, fortranOrder: order === "True", shape: shape.map(Number) };
}

/** The header that {@link parseNpyHeader} reads, padded so that the values begin at a multiple of 64 bytes. */
export function formatNpyHeader(descr: string, shape: readonly number[]): Uint8Array {
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': ${tuple}, }`;
  const length = Math.ceil((10 + text.length + 1) / 64) * 64 - 10;
  const bytes = new Uint8Array(10 + length);
  const put = (at: number, ascii: string) => {
    for (let i = 0; i < ascii.length; i++) bytes[at + i] = ascii.charCodeAt(i);
  };
  put(0, `${MAGIC}\x01\x00`);
  bytes[8] = length & 0xff;
  bytes[9] = length >>> 8;
  put(10, `${text.padEnd(length - 1)}\n`);
  return bytes;
}
