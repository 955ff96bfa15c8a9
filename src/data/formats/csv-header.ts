import { parseCsvLine } from "./csv-line.ts";

/** Usual names of columns. A line of only these is a header, even where data may be names. */
const USUAL = new Set(
  [
    "source target src dst from to u v i j node node1 node2 node_1 node_2 node_a node_b",
    "id ids node_id nodeid name label labels class classes category target_label y weight weights w value x feature features",
  ]
    .join(" ")
    .split(" "),
);

/** The separator of a line: the first of tab, semicolon and comma that is in it, or a space. */
export function separatorOf(line: string): string {
  return ["\t", ";", ","].find((separator) => line.includes(separator)) ?? " ";
}

/** The fields of a line that is separated in any of the usual ways, or undefined if a quote is not closed. */
export function fieldsOf(line: string, separator = separatorOf(line)): string[] | undefined {
  const single = separator === " " ? line.trim().replaceAll(/ +/g, " ") : line;
  return parseCsvLine(single, separator)?.map((field) => field.trim());
}

/**
 * The names of the columns if a line is a header: all are usual names, or there are at least two that all begin like a
 * name.
 */
export function headerNames(line: string): string[] | undefined {
  const fields = fieldsOf(line);
  if (fields === undefined) return undefined;
  const names = fields.map((field) => field.toLowerCase());
  if (names.every((name) => USUAL.has(name))) return names;
  return names.length >= 2 && names.every((name) => /^[\p{L}_]/u.test(name) && !/^(nan|inf(inity)?)$/.test(name))
    ? names
    : undefined;
}

/** The names of the columns if all of them are usual ones: for files whose data may be names as well. */
export function usualNames(line: string): string[] | undefined {
  const names = fieldsOf(line)?.map((field) => field.toLowerCase());
  return names?.every((name) => USUAL.has(name)) ? names : undefined;
}
