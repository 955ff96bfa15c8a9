import { check, DataError } from "../core/errors.ts";
import { parseCsvLine } from "../data/formats/csv-line.ts";
import type { NodeIds } from "../data/node-ids.ts";
import type { Flips } from "../graph/flips.ts";
import { linesOf, nodeIn } from "./id-lines.ts";

/**
 * Reads a set of nodes from a file of ids: one per line, or the first column of a csv whose first line begins with
 * `node`, as `rgnn evaluate --out` writes it.
 */
export function readNodeSet(file: string, ids: NodeIds): Int32Array {
  const lines = linesOf(file);
  const hasHeader = /^node(,|$)/.test(lines[0]);
  const nodes = new Set<number>();
  for (const [k, line] of lines.entries()) {
    if ((k === 0 && hasHeader) || line.trim() === "") continue;
    const fields = parseCsvLine(line);
    const isWhole = fields !== undefined && (hasHeader || fields.length === 1);
    check(isWhole, () => `${file}: line ${k + 1} must be the id of one node, got "${line}"`, DataError);
    nodes.add(nodeIn(file, k + 1, fields[0].trim(), ids));
  }
  check(nodes.size > 0, () => `${file}: names no node; write one id per line`, DataError);
  return Int32Array.from(nodes);
}

/** Reads pairs of nodes from a csv of ids whose first columns are `source,target`, such as a file of flips. */
export function readPairs(file: string, ids: NodeIds): Flips {
  const [header, ...lines] = linesOf(file);
  check(
    /^source,target(,|$)/.test(header),
    () => `${file}: first line must begin with "source,target", got "${header}"`,
    DataError,
  );
  const sources = new Int32Array(lines.length);
  const targets = new Int32Array(lines.length);
  for (const [k, line] of lines.entries()) {
    const fields = parseCsvLine(line);
    const isWhole = fields !== undefined && fields.length >= 2;
    check(isWhole, () => `${file}: line ${k + 2} must be source,target, got "${line}"`, DataError);
    sources[k] = nodeIn(file, k + 2, fields[0], ids);
    targets[k] = nodeIn(file, k + 2, fields[1], ids);
  }
  return { sources, targets };
}
