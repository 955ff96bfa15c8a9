import { crc32 } from "node:zlib";
import { check, DataError } from "../../core/errors.ts";

/** A kind of file with checked JSON. `format` and `version` are written into the file. */
export interface CheckedKind {
  readonly format: string;
  readonly version: number;
  /** What errors call such a file: `the header of a graph store`. */
  readonly called: string;
  /** What to do about a broken one. Default: make the store again. */
  readonly wayOut?: string;
}

const MAKE_AGAIN = "make the store again";

/** An object as JSON, with its format, its version and a checksum. */
export function formatChecked({ format, version }: CheckedKind, object: object): string {
  const content = { format, version, ...object };
  return `${JSON.stringify({ ...content, checksum: crc32(JSON.stringify(content)) }, null, 1)}\n`;
}

/** Reads what {@link formatChecked} wrote, and checks it; errors call the file `where`. */
export function parseChecked(kind: CheckedKind, text: string, where: string): object {
  const { format, version, called, wayOut = MAKE_AGAIN } = kind;
  const { checksum, ...content } = parseObject(kind, text, where);
  check(content.format === format, () => `${where}: is not ${called}`, DataError);
  const other = JSON.stringify(content.version);
  check(
    content.version === version,
    () => `${where}: has version ${other}, this program reads ${version}; ${wayOut}`,
    DataError,
  );
  check(
    checksum === crc32(JSON.stringify(content)),
    () => `${where}: was changed after it was written: its checksum is wrong; ${wayOut}`,
    DataError,
  );
  const { format: _, version: __, ...object } = content;
  return object;
}

function parseObject(
  { called, wayOut = MAKE_AGAIN }: CheckedKind,
  text: string,
  where: string,
): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new DataError(`${where}: is cut off or not JSON; ${wayOut}`);
  }
  check(typeof value === "object" && value !== null, () => `${where}: is not ${called}`, DataError);
  return value as Record<string, unknown>;
}
