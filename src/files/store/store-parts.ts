import type { NodeIds } from "../../data/node-ids.ts";
import type { Split } from "../../data/splits.ts";
import type { StoreWriter } from "./store-writer.ts";

/** Adds a split, whose name the header must list. */
export function appendSplit(writer: StoreWriter, name: string, { train, val, test }: Split): void {
  writer.part(`${name}.train`, "i32").append(train);
  writer.part(`${name}.val`, "i32").append(val);
  writer.part(`${name}.test`, "i32").append(test);
}

/** Adds the ids of the nodes, unless they are the numbers 0, 1, … */
export function appendIds(writer: StoreWriter, ids: NodeIds): void {
  if (ids.areNumbers) return;
  const all = Array.from({ length: ids.length }, (_, node) => ids.idOf(node));
  if (!ids.areNames) {
    writer.part("ids", "u64").append(BigUint64Array.from(all, (id) => BigInt(id)));
    return;
  }
  const ends = new BigUint64Array(all.length);
  let end = 0;
  for (const [node, name] of all.entries()) {
    const bytes = new TextEncoder().encode(String(name));
    writer.part("names", "u8").append(bytes);
    end += bytes.length;
    ends[node] = BigInt(end);
  }
  writer.part("nameEnds", "u64").append(ends);
}
