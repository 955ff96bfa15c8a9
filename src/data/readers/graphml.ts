import { check, DataError } from "../../core/errors.ts";
import { isNumeric } from "../formats/parse-number.ts";
import { printable, quote } from "../formats/printable.ts";
import { parseXml, type XmlElement } from "../formats/xml.ts";
import type { RawGraph } from "../raw-graph.ts";
import { type Attribute, graphOfAttributes } from "./attributed-graph.ts";

/** What `<key>` says of an attribute. */
interface Key {
  readonly name: string;
  readonly type: string;
  readonly fallback: string | undefined;
}

/** Reads a graph in GraphML: nodes with their attributes, edges and the weights of edges. */
export function readGraphMl(text: string, name: string, where: string): RawGraph {
  const root = parseXml(text, where);
  check(root.name === "graphml", () => `${where}: must hold <graphml>, got <${printable(root.name)}>`, DataError);
  const graphs = childrenOf(root, "graph");
  check(graphs.length === 1, () => `${where}: must hold one <graph>, got ${graphs.length}`, DataError);
  const keys = keysOf(root);
  const nodes = childrenOf(graphs[0], "node").map((element) => {
    const id = attributeOf(element, "id", where);
    const isPlain = childrenOf(element, "graph").length === 0;
    check(isPlain, () => `${where}: the node ${quote(id)} holds a graph of its own; save it without groups`, DataError);
    return { id, attributes: dataOf(element, keys, "node", where) };
  });
  const edges = childrenOf(graphs[0], "edge").map((element) => {
    const weight = dataOf(element, keys, "edge", where).get("weight");
    const known = weight === undefined ? {} : { weight: weightOf(weight, where) };
    return { source: attributeOf(element, "source", where), target: attributeOf(element, "target", where), ...known };
  });
  return graphOfAttributes({ name, where, ...withNumbers(nodes, edges) });
}

/** The weight as a number; it is text where the file does not declare weights as numbers. */
function weightOf(value: Attribute, where: string): number {
  const isNumber = typeof value === "number" || (typeof value === "string" && isNumeric(value.trim()));
  check(isNumber, () => `${where}: weight of an edge: number expected, got ${quote(String(value))}`, DataError);
  return Number(value);
}

type Nodes = { id: string; attributes: Map<string, Attribute> }[];
type Edges = { source: string; target: string; weight?: number }[];

/** Ids of GraphML are text; where all of them are whole numbers, they are read as such. */
function withNumbers(nodes: Nodes, edges: Edges) {
  const numbers = nodes.every(({ id }) => /^(0|[1-9]\d{0,14})$/.test(id));
  if (!numbers) return { nodes, edges };
  return {
    nodes: nodes.map(({ id, attributes }) => ({ id: Number(id), attributes })),
    edges: edges.map(({ source, target, ...rest }) => ({ source: Number(source), target: Number(target), ...rest })),
  };
}

function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

function attributeOf(element: XmlElement, name: string, where: string): string {
  const value = element.attributes.get(name);
  check(value !== undefined, () => `${where}: a <${printable(element.name)}> has no ${name}`, DataError);
  return value;
}

function keysOf(root: XmlElement): Map<string, Key> {
  const keys = new Map<string, Key>();
  for (const element of childrenOf(root, "key")) {
    const id = element.attributes.get("id") ?? "";
    const kind = element.attributes.get("for") ?? "all";
    const key: Key = {
      name: element.attributes.get("attr.name") ?? id,
      type: element.attributes.get("attr.type") ?? "string",
      fallback: childrenOf(element, "default")[0]?.text,
    };
    for (const of of kind === "all" ? ["node", "edge"] : [kind]) keys.set(`${of} ${id}`, key);
  }
  return keys;
}

function dataOf(element: XmlElement, keys: Map<string, Key>, of: "node" | "edge", where: string) {
  const found = new Map<string, Attribute>();
  for (const [id, { name, type, fallback }] of keys) {
    if (id.startsWith(`${of} `) && fallback !== undefined) found.set(name, attributeValue(fallback, type, where));
  }
  for (const data of childrenOf(element, "data")) {
    const id = attributeOf(data, "key", where);
    const key = keys.get(`${of} ${id}`);
    check(key !== undefined, () => `${where}: no <key> of a ${of} has the id ${quote(id)}`, DataError);
    found.set(key.name, attributeValue(data.text, key.type, where));
  }
  return found;
}

function attributeValue(text: string, type: string, where: string): Attribute {
  if (type === "string") return text;
  if (type === "boolean") return text.trim() === "true" || text.trim() === "1";
  check(isNumeric(text.trim()), () => `${where}: number expected, got ${quote(text)}`, DataError);
  return Number(text);
}
