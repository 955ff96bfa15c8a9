import { check, DataError } from "../../core/errors.ts";
import { type Csr, csrFromEntries, mergeDuplicates } from "../../graph/csr.ts";
import type { ByteSource } from "../formats/byte-source.ts";
import { type NumberTable, readNumbers } from "../formats/csv-numbers.ts";
import { isNumeric } from "../formats/parse-number.ts";
import { printable, quote } from "../formats/printable.ts";
import { readTextTable, type TextTable } from "../formats/text-table.ts";
import type { NodeId } from "../node-ids.ts";

/** Edges as a file lists them, with the ids that it gives to nodes. */
export interface ListedEdges {
  /** What error messages call the file. */
  readonly where: string;
  readonly sources: ArrayLike<NodeId>;
  readonly targets: ArrayLike<NodeId>;
  readonly weights: Float32Array | null;
}

const COLUMNS = {
  source: ["source", "src", "from", "u", "i", "node1", "node_1", "node_a"],
  target: ["target", "dst", "to", "v", "j", "node2", "node_2", "node_b"],
  weight: ["weight", "weights", "w", "value"],
};

/**
 * Reads edges, one per line: source, target and, where there is a third column, a weight. Ids of nodes are either all
 * whole numbers or all names. A header is a line of usual names, such as `source,target`.
 */
export async function readEdgeList(source: ByteSource): Promise<ListedEdges> {
  const { name: where } = source;
  const { names, rows } = await readTextTable(source, 1);
  const width = names?.length ?? rows[0]?.fields.length ?? 2;
  check(width === 2 || width === 3, () => `${where}: must have 2 columns, or 3 with weights, got ${width}`, DataError);
  const at = columnsOf(names, width, where);
  const first = rows[0]?.fields;
  const numbers = first === undefined || (isNumeric(first[at.source]) && isNumeric(first[at.target]));
  if (!numbers) return namedEdges(await readTextTable(source), at, where);
  const { data, numRows } = await readNumbers(source, { numCols: width });
  const column = (k: number) => {
    const numbers = new Float64Array(numRows);
    for (let e = 0; e < numRows; e++) numbers[e] = data[width * e + k];
    return numbers;
  };
  const sources = column(at.source);
  const targets = column(at.target);
  for (const ids of [sources, targets]) checkIds(ids, where);
  return { where, sources, targets, weights: width === 3 ? Float32Array.from(column(at.weight)) : null };
}

/** True for a usual name of a column of edges. */
export function isEdgeColumn(name: string): boolean {
  return Object.values(COLUMNS).some((names) => names.includes(name));
}

type EdgeColumns = Readonly<Record<keyof typeof COLUMNS, number>>;

/** The positions of the columns, found by usual names. Without names: source, target, weight. */
export function columnsOf(names: readonly string[] | undefined, width: number, where: string): EdgeColumns {
  if (names === undefined) return { source: 0, target: 1, weight: 2 };
  const find = (of: keyof typeof COLUMNS) => names.findIndex((name) => COLUMNS[of].includes(name));
  const found = { source: find("source"), target: find("target"), weight: find("weight") };
  const whole = found.source >= 0 && found.target >= 0 && (width === 2 || found.weight >= 0);
  const got = () => printable(names.join(", "));
  check(whole, () => `${where}: columns must be source, target and perhaps weight, got ${got()}`, DataError);
  return found;
}

function namedEdges({ rows }: TextTable, at: EdgeColumns, where: string): ListedEdges {
  const [{ line, fields }] = rows;
  const sources: string[] = [];
  const targets: string[] = [];
  for (const row of rows) {
    const from = row.fields[at.source];
    const to = row.fields[at.target];
    check(from !== "" && to !== "", () => `${where}: line ${row.line} has an edge without a node`, DataError);
    check(
      !isNumeric(from) || !isNumeric(to),
      () =>
        `${where}: line ${line}: number expected, got ${quote(fields[at.source])}, for line ${row.line} has numbers; name nodes by numbers or by names`,
      DataError,
    );
    sources.push(from);
    targets.push(to);
  }
  const weighted = fields.length === 3;
  return { where, sources, targets, weights: weighted ? weightsOf(rows, at.weight, where) : null };
}

function weightsOf(rows: TextTable["rows"], column: number, where: string): Float32Array {
  return Float32Array.from(rows, ({ line, fields }) => {
    check(
      isNumeric(fields[column]),
      () => `${where}: line ${line}: number expected, got ${quote(fields[column])}`,
      DataError,
    );
    return Number(fields[column]);
  });
}

/** Throws unless all ids are numbers that a node can have. */
export function checkIds(ids: Float64Array, where: string): void {
  const bad = ids.findIndex((id) => !Number.isSafeInteger(id) || id < 0);
  check(bad < 0, () => `${where}: node ${ids[bad]} of edge ${bad} must be a whole number, 0 or more`, DataError);
}

/** The edges of a table of two columns between nodes 0 … `numNodes` − 1. Duplicates are merged. */
export function edgeList({ data, numRows }: NumberTable, numNodes: number, where: string): Csr {
  const rows = new Int32Array(numRows);
  const cols = new Int32Array(numRows);
  for (let e = 0; e < numRows; e++) {
    rows[e] = nodeNumber(data[2 * e], numNodes, e, where);
    cols[e] = nodeNumber(data[2 * e + 1], numNodes, e, where);
  }
  return mergeDuplicates(csrFromEntries(numNodes, numNodes, rows, cols));
}

/** Edges between nodes 0 … `numNodes` − 1. Duplicates are merged; weights add up. */
export function adjacencyOf({ where, sources, targets, weights }: ListedEdges, numNodes: number): Csr {
  const rows = new Int32Array(sources.length);
  const cols = new Int32Array(sources.length);
  for (let e = 0; e < rows.length; e++) {
    rows[e] = nodeNumber(sources[e], numNodes, e, where);
    cols[e] = nodeNumber(targets[e], numNodes, e, where);
  }
  return mergeDuplicates(csrFromEntries(numNodes, numNodes, rows, cols, weights));
}

/** The edges between the nodes with these ids, numbered in this order. */
export function adjacencyByIds(edges: ListedEdges, ids: ArrayLike<NodeId>): Csr {
  const numbers = new Map<NodeId, number>();
  for (let node = 0; node < ids.length; node++) numbers.set(ids[node], node);
  const number = (id: NodeId, e: number) => {
    const node = numbers.get(id);
    check(node !== undefined, () => `${edges.where}: node ${shown(id)} of edge ${e} is not among the nodes`, DataError);
    return node;
  };
  const renumbered = (of: ArrayLike<NodeId>) => {
    const nodes = new Int32Array(of.length);
    for (let e = 0; e < nodes.length; e++) nodes[e] = number(of[e], e);
    return nodes;
  };
  return adjacencyOf({ ...edges, sources: renumbered(edges.sources), targets: renumbered(edges.targets) }, ids.length);
}

function nodeNumber(value: NodeId, numNodes: number, edge: number, where: string): number {
  const valid = Number.isInteger(value) && (value as number) >= 0 && (value as number) < numNodes;
  check(valid, () => `${where}: node ${shown(value)} of edge ${edge} must be in 0 … ${numNodes - 1}`, DataError);
  return value as number;
}

function shown(id: NodeId): string {
  return typeof id === "number" ? String(id) : quote(id);
}

/** The nodes of a graph known only by its edges: how many if their ids are 0, 1, …, else the ids, ascending. */
export function nodesOfEdges({ sources, targets }: ListedEdges): number | NodeId[] {
  const occurring = new Set<NodeId>();
  for (const ids of [sources, targets]) for (let e = 0; e < ids.length; e++) occurring.add(ids[e]);
  const ids = [...occurring];
  const named = typeof ids[0] === "string";
  ids.sort(named ? undefined : (a, b) => (a as number) - (b as number));
  return ids.every((id, node) => id === node) ? ids.length : ids;
}

/** The only column of a table, as class ids; NaN is −1, unknown. */
export function labelColumn({ data, numCols, numRows }: NumberTable, where: string): Int32Array {
  check(numCols === 1 || numRows === 0, () => `${where}: must have one column, got ${numCols}`, DataError);
  const labels = new Int32Array(data.length);
  for (let i = 0; i < data.length; i++) {
    labels[i] = Number.isNaN(data[i]) ? -1 : data[i];
    check(
      labels[i] === data[i] || Number.isNaN(data[i]),
      () => `${where}: label ${data[i]} of node ${i} must be an integer`,
      DataError,
    );
  }
  return labels;
}

/** The only column of a table, as node ids. */
export function nodeColumn(table: NumberTable, numNodes: number, where: string): Int32Array {
  const nodes = labelColumn(table, where);
  const bad = nodes.findIndex((node) => node < 0 || node >= numNodes);
  check(bad < 0, () => `${where}: node ${nodes[bad]} in line ${bad + 1} must be in 0 … ${numNodes - 1}`, DataError);
  return nodes;
}
