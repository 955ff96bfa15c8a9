/** One line of csv; fields with separators, quotes or ends of lines are quoted. */
export function formatCsvLine(fields: readonly (string | number)[]): string {
  return fields.map((field) => quoteField(String(field))).join(",");
}

function quoteField(field: string): string {
  return /[",;\s]|^$/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

/** The fields of one line of csv, or undefined if a quote is not closed or text follows the closing one. */
export function parseCsvLine(line: string, separator = ","): string[] | undefined {
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    const quoted = line[at] === '"';
    const end = quoted ? endOfQuotes(line, at) : line.indexOf(separator, at);
    if (quoted && end === undefined) return undefined;
    const stop = end === undefined || end < 0 ? line.length : end;
    if (quoted && stop < line.length && !line.startsWith(separator, stop)) return undefined;
    const text = line.slice(at, stop);
    fields.push(quoted ? text.slice(1, -1).replaceAll('""', '"') : text);
    if (stop >= line.length) return fields;
    at = stop + separator.length;
  }
}

/** The position after the closing quote of the field that begins at `at`, or undefined if there is none. */
function endOfQuotes(line: string, at: number): number | undefined {
  for (let i = at + 1; i < line.length; i++) {
    if (line[i] !== '"') continue;
    if (line[i + 1] !== '"') return i + 1;
    i++;
  }
  return undefined;
}
