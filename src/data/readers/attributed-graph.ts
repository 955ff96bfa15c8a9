import { check, DataError } from "../../core/errors.ts";
import type { DenseMatrix } from "../../graph/graph.ts";
import { isNumeric } from "../formats/parse-number.ts";
import { quote } from "../formats/printable.ts";
import type { NodeId } from "../node-ids.ts";
import type { RawGraph } from "../raw-graph.ts";
import { classesOfTexts } from "../renumber-labels.ts";
import type { Split } from "../splits.ts";
import { adjacencyByIds } from "./edge-list.ts";
import { noFeatures } from "./no-features.ts";

/** A value that a file gives to a node or an edge. */
export type Attribute = string | number | boolean | readonly number[] | null;

/** A graph whose nodes carry attributes by name, as GraphML and JSON describe it. */
export interface AttributedGraph {
  readonly name: string;
  readonly where: string;
  readonly nodes: readonly { readonly id: NodeId; readonly attributes: ReadonlyMap<string, Attribute> }[];
  readonly edges: readonly { readonly source: NodeId; readonly target: NodeId; readonly weight?: number }[];
}

const LABELS = ["label", "class", "y", "category"];
const FEATURES = ["x", "features", "feature"];
const SPLIT = "split";

/**
 * Makes a graph of nodes with attributes. `label`, `class`, `y` or `category` is the class. A list called `x`,
 * `features` or `feature` is the row of features; without one, every attribute that is a number at all nodes is a
 * feature. `split` is train, val or test.
 */
export function graphOfAttributes({ name, where, nodes, edges }: AttributedGraph): RawGraph {
  const ids = nodes.map(({ id }) => id);
  const numbered = ids.every((id, node) => id === node);
  const keys = [...new Set(nodes.flatMap(({ attributes }) => [...attributes.keys()]))];
  const label = LABELS.find((candidate) => keys.includes(candidate));
  const { features, unused } = featuresOf(nodes, keys, label, where);
  const weighted = edges.some(({ weight }) => weight !== undefined);
  const adjacency = adjacencyByIds(
    {
      where,
      sources: edges.map(({ source }) => source),
      targets: edges.map(({ target }) => target),
      weights: weighted ? Float32Array.from(edges, ({ weight }) => weight ?? 1) : null,
    },
    ids,
  );
  const splits = keys.includes(SPLIT) ? splitOf(nodes, where) : undefined;
  return {
    name,
    where,
    adjacency,
    features,
    ...labelsOf(nodes, label, where),
    ...(!numbered && { ids }),
    ...(splits && { splits: { public: splits } }),
    ...(unused.length > 0 && { notes: [`${name}: attributes that are no numbers are not used: ${unused.join(", ")}`] }),
  };
}

type Nodes = AttributedGraph["nodes"];

function featuresOf(nodes: Nodes, keys: readonly string[], label: string | undefined, where: string) {
  const list = FEATURES.find(
    (key) => nodes.length > 0 && nodes.every((node) => Array.isArray(node.attributes.get(key))),
  );
  if (list !== undefined) return { features: rowsOf(nodes, list, where), unused: [] };
  const others = keys.filter((key) => key !== label && key !== SPLIT);
  const numeric = others.filter((key) => nodes.every(({ attributes }) => asNumber(attributes.get(key)) !== undefined));
  const partly = others.find(
    (key) => !numeric.includes(key) && nodes.some(({ attributes }) => typeof attributes.get(key) === "number"),
  );
  const missing = nodes.find(
    ({ attributes }) => partly !== undefined && asNumber(attributes.get(partly)) === undefined,
  );
  check(missing === undefined, () => `${where}: node ${missing!.id} has no number as ${quote(partly!)}`, DataError);
  const features: DenseMatrix = {
    numRows: nodes.length,
    numCols: numeric.length,
    data: Float32Array.from(nodes.flatMap(({ attributes }) => numeric.map((key) => asNumber(attributes.get(key))!))),
  };
  return {
    features: numeric.length === 0 ? noFeatures(nodes.length) : features,
    unused: others.filter((key) => !numeric.includes(key)),
  };
}

function rowsOf(nodes: Nodes, key: string, where: string): DenseMatrix {
  const rows = nodes.map(({ attributes }) => attributes.get(key) as readonly number[]);
  const numCols = rows[0].length;
  const bad = rows.findIndex((row) => row.length !== numCols || row.some((value) => typeof value !== "number"));
  check(bad < 0, () => `${where}: ${key} of node ${nodes[bad].id} must be ${numCols} numbers`, DataError);
  return { numRows: rows.length, numCols, data: Float32Array.from(rows.flat()) };
}

function asNumber(value: Attribute | undefined): number | undefined {
  if (typeof value === "boolean") return value ? 1 : 0;
  return typeof value === "number" ? value : undefined;
}

function labelsOf(nodes: Nodes, label: string | undefined, where: string): Pick<RawGraph, "labels" | "classes"> {
  const values = nodes.map(({ attributes }) => (label === undefined ? null : (attributes.get(label) ?? null)));
  const texts = values.map((value) => (value === null ? "" : String(value)));
  const known = texts.filter((text) => text !== "");
  if (known.some((text) => !isNumeric(text))) return classesOfTexts(texts);
  const labels = Int32Array.from(texts, (text) => (text === "" ? -1 : Number(text)));
  const bad = texts.findIndex((text, node) => text !== "" && Number(text) !== labels[node]);
  check(bad < 0, () => `${where}: ${label} of node ${nodes[bad].id} must be an integer, got ${texts[bad]}`, DataError);
  return { labels };
}

function splitOf(nodes: Nodes, where: string): Split {
  const sets: Record<"train" | "val" | "test", number[]> = { train: [], val: [], test: [] };
  for (const [node, { id, attributes }] of nodes.entries()) {
    const set = attributes.get(SPLIT) ?? "";
    check(
      set === "" || set === "none" || set === "train" || set === "val" || set === "test",
      () => `${where}: split of node ${id} must be train, val, test or none, got ${quote(String(set))}`,
      DataError,
    );
    if (set !== "" && set !== "none") sets[set].push(node);
  }
  return { train: Int32Array.from(sets.train), val: Int32Array.from(sets.val), test: Int32Array.from(sets.test) };
}
