import { crc32 } from "node:zlib";
import { check, DataError } from "../../core/errors.ts";

/** What a file of checked JSON is, for whoever finds one. */
export interface CheckedKind {
  readonly format: string;
  readonly version: number;
  /** What errors call such a file: `the header of a graph store`. */
  readonly called: string;
}

/** An object as JSON that says what it is and has its own checksum. */
export function formatChecked({ format, version }: CheckedKind, object: object): string {
  const content = { format, version, ...object };
  return `${JSON.stringify({ ...content, checksum: crc32(JSON.stringify(content)) }, null, 1)}\n`;
}

/** The object of {@link formatChecked}; `where` is what errors call its place. */
export function parseChecked({ format, version, called }: CheckedKind, text: string, where: string): object {
  const { checksum, ...content } = parseObject(text, where, called);
  check(content.format === format, () => `${where}: is not ${called}`, DataError);
  const other = JSON.stringify(content.version);
  check(
    content.version === version,
    () => `${where}: has version ${other}, this program reads ${version}; make the store again`,
    DataError,
  );
  check(
    checksum === crc32(JSON.stringify(content)),
    () => `${where}: was changed after it was written: its checksum is wrong; make the store again`,
    DataError,
  );
  const { format: _, version: __, ...object } = content;
  return object;
}

function parseObject(text: string, where: string, called: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new DataError(`${where}: is cut off or not JSON; make the store again`);
  }
  check(typeof value === "object" && value !== null, () => `${where}: is not ${called}`, DataError);
  return value as Record<string, unknown>;
}
