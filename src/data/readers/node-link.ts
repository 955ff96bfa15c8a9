import { check, DataError } from "../../core/errors.ts";
import { parseJson } from "../formats/json.ts";
import type { NodeId } from "../node-ids.ts";
import type { RawGraph } from "../raw-graph.ts";
import { type Attribute, graphOfAttributes } from "./attributed-graph.ts";

/** Reads a graph in the node-link JSON of networkx: `nodes` with an `id` each, and `links` or `edges` between them. */
export function readNodeLink(bytes: Uint8Array, name: string, where: string): RawGraph {
  const value = parseJson(bytes, where);
  check(isRecord(value), () => `${where}: must be an object with nodes and links`, DataError);
  const listed = listOf(value["nodes"], "nodes", where);
  const links = listOf(value["links"] ?? value["edges"], "links", where);
  const nodes = listed.map((node, k) => ({
    id: idOf(node, "id", () => `${where}: node ${k}`),
    attributes: new Map(Object.entries(node).filter(([key]) => key !== "id") as [string, Attribute][]),
  }));
  const edges = links.map((link, k) => {
    const place = () => `${where}: link ${k}`;
    const { weight } = link;
    check(
      weight === undefined || typeof weight === "number",
      () => `${place()}: weight must be a number, got ${JSON.stringify(weight)}`,
      DataError,
    );
    const known = weight === undefined ? {} : { weight };
    return { source: idOf(link, "source", place), target: idOf(link, "target", place), ...known };
  });
  return graphOfAttributes({ name, where, nodes, edges });
}

type JsonRecord = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listOf(value: unknown, what: string, where: string): JsonRecord[] {
  const valid = Array.isArray(value) && value.every(isRecord);
  check(valid, () => `${where}: ${what} must be a list of objects`, DataError);
  return value;
}

function idOf(record: JsonRecord, key: string, place: () => string): NodeId {
  const id = record[key];
  const valid = typeof id === "string" || (Number.isSafeInteger(id) && (id as number) >= 0);
  check(valid, () => `${place()}: ${key} must be text or a whole number, got ${JSON.stringify(id)}`, DataError);
  return id as NodeId;
}
