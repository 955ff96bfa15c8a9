import { check, DataError } from "../../core/errors.ts";
import type { ByteSource } from "./byte-source.ts";
import { fieldsOf, separatorOf, usualNames } from "./csv-header.ts";
import { quote } from "./printable.ts";
import { unpackedChunks } from "./unpacked-chunks.ts";

/** A line of a table, split into fields. */
export interface TextRow {
  /** The number of the line in the file, from 1 on. */
  readonly line: number;
  readonly fields: readonly string[];
}

/** A table of text, and the names of its columns where the first line has usual ones. */
export interface TextTable {
  readonly names: readonly string[] | undefined;
  readonly rows: readonly TextRow[];
}

/**
 * Reads csv, or columns that are separated by tabs, semicolons or spaces, as text. Line ends may be of any kind; empty lines
 * and lines that begin with # or % are skipped. All rows must have as many columns as the first one.
 */
export async function readTextTable(source: ByteSource, limit = Number.POSITIVE_INFINITY): Promise<TextTable> {
  const { name } = source;
  const rows: TextRow[] = [];
  let names: readonly string[] | undefined;
  let separator: string | undefined;
  for await (const { text, line } of textLines(source)) {
    if (text.trim() === "" || /^[#%]/.test(text)) continue;
    if (separator === undefined) {
      separator = separatorOf(text);
      names = usualNames(text);
      if (names) continue;
    }
    const fields = fieldsOf(text, separator);
    check(
      fields !== undefined,
      () => `${name}: line ${line}: a quote does not end, or does not end its field, in ${quote(text)}`,
      DataError,
    );
    const width = names?.length ?? rows[0]?.fields.length ?? fields.length;
    check(
      fields.length === width,
      () => `${name}: line ${line} has ${fields.length} columns, must have ${width}`,
      DataError,
    );
    rows.push({ line, fields });
    if (rows.length >= limit) break;
  }
  return { names, rows };
}

/** The lines of a text in UTF-8, without a byte order mark. */
export async function* textLines(source: ByteSource): AsyncGenerator<{ text: string; line: number }> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  let line = 1;
  for await (const chunk of unpackedChunks(source)) {
    const lines = (rest + decode(decoder, source.name, chunk)).split(/\r\n|\n|\r(?!$)/); // a last \r may be half of \r\n
    rest = lines.pop()!;
    for (const text of lines) yield { text, line: line++ };
  }
  rest += decode(decoder, source.name);
  for (const text of rest.split("\r")) yield { text, line: line++ };
}

/** The whole text of a source of moderate size. */
export async function unpackedText(source: ByteSource): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for await (const chunk of unpackedChunks(source)) text += decode(decoder, source.name, chunk);
  return text + decode(decoder, source.name);
}

function decode(decoder: InstanceType<typeof TextDecoder>, name: string, chunk?: Uint8Array): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch {
    throw new DataError(`${name}: must be text in UTF-8; save it as such`);
  }
}
