import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readFeatureRows } from "../../src/files/store/read-feature-rows.ts";
import { readStoreHeader } from "../../src/files/store/read-store-header.ts";

/** All of a small store in memory. */
export function readStore(folder: string) {
  const header = readStoreHeader(folder);
  const bytesOf = (name: string) => new Uint8Array(readFileSync(join(folder, header.parts[name].file))).buffer;
  const numbers = (name: string) => new Int32Array(bytesOf(name));
  const splits = header.splits.map((split) => {
    const sets = { train: numbers(`${split}.train`), val: numbers(`${split}.val`), test: numbers(`${split}.test`) };
    return [split, sets] as const;
  });
  return {
    header,
    rowPtr: Array.from(new BigUint64Array(bytesOf("rowPointers")), Number),
    columns: numbers("columns"),
    features: readFeatureRows(folder, header, 0, Math.max(1, header.numNodes)).next().value!.rows,
    labels: numbers("labels"),
    splits: Object.fromEntries(splits),
  };
}

/** The names and contents of the files of a folder, the latter in 64 characters. */
export function filesOf(folder: string): Record<string, string> {
  const files = readdirSync(folder).sort();
  return Object.fromEntries(
    files.map((file) => [
      file,
      createHash("sha256")
        .update(readFileSync(join(folder, file)))
        .digest("hex"),
    ]),
  );
}
