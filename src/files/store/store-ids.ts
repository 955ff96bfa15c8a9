import { join } from "node:path";
import { type NodeId, NodeIds } from "../../data/node-ids.ts";
import { readWhole } from "../file-source.ts";
import type { StoreHeader } from "./store-header.ts";

/** The ids of the nodes of a store. */
export function readStoreIds(folder: string, { numNodes, parts }: StoreHeader): NodeIds {
  const bytesOf = (name: string) => readWhole(join(folder, parts[name].file));
  if (parts.ids) return NodeIds.of(Array.from(pointersOf(bytesOf("ids"))), folder);
  if (!parts.names) return NodeIds.numbered(numNodes, folder);
  const bytes = bytesOf("names");
  const names: NodeId[] = [];
  let begin = 0;
  for (const end of pointersOf(bytesOf("nameEnds"))) {
    names.push(new TextDecoder().decode(bytes.subarray(begin, end)));
    begin = end;
  }
  return NodeIds.of(names, folder);
}

/** Numbers of 64 bits as floats; all are below 2^53, so this is exact. */
function pointersOf(bytes: Uint8Array): Float64Array {
  return Float64Array.from(new BigUint64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8), Number);
}
